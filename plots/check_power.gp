# What a check finds of one measure, a line a policy. Left: the smallest change
# that is found with 90 % probability, by the number of replications. Right: the
# chance of an alarm by the size of the change, with those of the baseline.
#
# gnuplot -c check_power.gp OUT DATA NOTE STYLES X Y MEASURE UNIT LONGEST
# STYLES: series of each policy in DATA; X: first and last number of
# replications, and the baseline's; Y: low and high end of changes, and what is
# allowed (0: not the same for all). DATA: for each policy a block of
# replications and change, and one of change and chance in %, each after its
# name. LONGEST: letters of the longest name, for which the picture grows.
here = ARG0[1:strlen(ARG0)-strlen('check_power.gp')]
out = ARG1; data = ARG2; note = ARG3
styles = ARG4
first = real(word(ARG5, 1)); last = real(word(ARG5, 2)); own = int(word(ARG5, 3))
bottom = real(word(ARG6, 1)); top = real(word(ARG6, 2))
allowed = real(word(ARG6, 3))
n = words(styles)
longest = int(ARG9)
room = 90 + int(8.2 * (longest > 8 ? longest : 8))   # for the names
width = 960 + room
height = n > 12 ? 520 + 24 * (n - 12) : 520
load here.'style.gp'

edge = 960.0 / width                                 # of the panels
unset label 100
set multiplot
set bmargin at screen 0.17; set tmargin at screen 0.84
set label 1 'What a check finds of '.ARG7 at screen 0.5*edge,0.955 center noenhanced font ',17' textcolor rgb ink
set label 100 note at screen 0.985,0.022 right noenhanced font ',10' textcolor rgb soft

set lmargin at screen 0.085*edge; set rmargin at screen 0.48*edge
set title 'smallest change found 9 times in 10' noenhanced font ',14'
set xlabel 'replications, log scale' offset 0,0.4 textcolor rgb ink noenhanced
set ylabel 'change for the worse, '.ARG8.', log scale' offset 0.6,0 textcolor rgb ink noenhanced
set logscale xy
low = bottom; high = top; axis = 'y'; load here.'log_tics.gp'
set yrange [bottom:top]
set xtics ()
do for [k=0:20] {
    tic = first * 2.0**k
    if (tic <= last * 1.001) { set xtics add (sprintf('%g', tic) tic) }
}
set xrange [first/1.15:last*1.15]
if (allowed > 0) {
    set arrow 1 from graph 0, first allowed to graph 1, first allowed nohead lc rgb soft dt (6,4) lw 1.2
    set label 2 'allowed' at graph 0.99, first allowed right offset 0,-0.7 noenhanced font ',11' textcolor rgb soft
}
set arrow 2 from first own, graph 0 to first own, graph 1 nohead lc rgb '#A0A0A0' lw 1
unset key
plot for [i=1:n] data index 2*(i-1) using 1:2 \
         with linespoints ls int(word(styles, i)) lw 1.8 notitle

unset label 1; unset label 2; unset label 100; unset arrow 1; unset arrow 2
set lmargin at screen 0.565*edge; set rmargin at screen 0.96*edge
set title sprintf('chance of an alarm with %d replications', own) noenhanced font ',14'
set xlabel 'change for the worse, '.ARG8.', log scale' offset 0,0.4 textcolor rgb ink noenhanced
set ylabel 'chance, %' offset 1.2,0 textcolor rgb ink noenhanced
unset logscale y
axis = 'x'; load here.'log_tics.gp'
set xrange [bottom:top]
set yrange [0:100]
set ytics 0,10,100
if (allowed > 0) {
    set arrow 1 from first allowed, graph 0 to first allowed, graph 1 nohead lc rgb soft dt (6,4) lw 1.2
}
set key at screen 0.975*edge,0.84 left top Left reverse width 1
plot for [i=1:n] data index 2*(i-1)+1 using 1:2 \
         with linespoints ls int(word(styles, i)) lw 1.8 notitle, \
     for [i=1:n] data index 2*(i-1)+1 using (NaN):(NaN) \
         with linespoints ls int(word(styles, i)) title columnheader(1)
unset multiplot
