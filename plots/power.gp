# The power curve: the smallest difference that so many replications find with
# 90 % probability, one line a comparison.
#
# gnuplot -c power.gp OUT DATA NOTE STYLES X Y MEASURE AGAINST LONGEST
# STYLES: series of each block of DATA; X: first and last number of replications;
# Y: low and high end, in % of the reference. DATA: for each comparison its name,
# then replications and difference. AGAINST: "against x", or empty where the
# names tell. LONGEST: letters of the longest name, for which the picture grows.
here = ARG0[1:strlen(ARG0)-strlen('power.gp')]
out = ARG1; data = ARG2; note = ARG3
styles = ARG4
first = real(word(ARG5, 1)); last = real(word(ARG5, 2))
bottom = real(word(ARG6, 1)); top = real(word(ARG6, 2))
n = words(styles)
longest = int(ARG9)
width = 960 + (longest > 26 ? int(8.2 * (longest - 26)) : 0)
height = n > 12 ? 520 + 24 * (n - 12) : 520
load here.'style.gp'

set title 'Smallest difference of '.ARG7.' that is found 9 times in 10'.(ARG8 eq '' ? '' : ', '.ARG8) noenhanced
set xlabel 'replications, log scale' offset 0,0.4 textcolor rgb ink noenhanced
set ylabel 'difference in % of the reference, log scale' textcolor rgb ink noenhanced
set bmargin 5
set lmargin 11.5
set key outside right top Left reverse width 1
set logscale xy
low = bottom; high = top; axis = 'y'; load here.'log_tics.gp'
set yrange [bottom:top]
set xtics ()
do for [k=0:20] {
    tic = first * 2.0**k
    if (tic <= last * 1.001) { set xtics add (sprintf('%g', tic) tic) }
}
set xrange [first/1.15:last*1.15]

plot for [i=1:n] data index i-1 using 1:2 \
         with linespoints ls int(word(styles, i)) lw 1.8 notitle, \
     for [i=1:n] data index i-1 using (NaN):(NaN) \
         with linespoints ls int(word(styles, i)) title columnheader(1)
