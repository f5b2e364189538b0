# Which policy is best at each point of a grid of two settings: its colour, pale
# where that is not certain.
#
# gnuplot -c winners.gp OUT DATA NOTE SIZES XLABEL YLABEL MEASURE
# SIZES: values across and up, policies, letters of the longest name. DATA: a
# block of places and texts of each axis; a block of place across, place up,
# policy (from 1) and whether it is certain (1); a block for each policy: its
# name, and a row that is not drawn.
here = ARG0[1:strlen(ARG0)-strlen('winners.gp')]
out = ARG1; data = ARG2; note = ARG3
across = int(word(ARG4, 1)); up = int(word(ARG4, 2)); n = int(word(ARG4, 3))
longest = int(word(ARG4, 4))
tall = up * 46 < 300 ? 300 : up * 46 > 900 ? 900 : up * 46
note = 'pale: not certain. '.note
width = 960 + (longest > 26 ? int(8.2 * (longest - 26)) : 0)
height = 170 + tall
load here.'style.gp'

# A pale colour is two thirds of the way to white.
pale(c) = ((255 * 2 + (c / 65536) % 256) / 3) * 65536 \
          + ((255 * 2 + (c / 256) % 256) / 3) * 256 + (255 * 2 + c % 256) / 3
shade(i, sure) = sure > 0 ? colour(i) : pale(colour(i))
set title 'Best by '.ARG7 noenhanced
set xlabel ARG5 offset 0,0.4 textcolor rgb ink noenhanced
set ylabel ARG6 textcolor rgb ink noenhanced
set bmargin 5
set key outside right top Left reverse width 1
unset grid
set border 15 ls 100
set style fill solid 1 noborder
set xrange [-0.5:across-0.5]
set yrange [-0.5:up-0.5]
set xtics () scale 0
set ytics () scale 0
if (across > 14) { set xtics rotate by 45 right }
plot data index 2 using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):(shade($3, $4)) \
         with boxxyerror lc rgb variable notitle, \
     data index 0 using 1:(NaN):xtic(2) notitle, \
     data index 1 using (NaN):1:ytic(2) notitle, \
     for [i=1:n] data index 2+i using (NaN):(NaN) with boxes lc rgb colour(i) title columnheader(1)
