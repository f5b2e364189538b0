# Classes of requests over time, a row a class: the P99 of its answers, and the share
# of its requests that got none; a line a policy. A gap: nobody was answered.
#
# gnuplot -c classes.gp OUT DATA NOTE SIZES HIGHS FAULTS START END UNIT
# SIZES: how many classes and policies; letters of the longest policy's name; 1 = a
# point is a mean of several replications. HIGHS: for each class the ends of both
# axes. FAULTS: when faults struck; times in UNIT, from START to END.
# DATA: per class a block for each policy (its name, a point out of sight, then time,
# P99, share lost), and one with the name of the class.
here = ARG0[1:strlen(ARG0)-strlen('classes.gp')]
out = ARG1; data = ARG2; note = ARG3
rows = int(word(ARG4, 1)); n = int(word(ARG4, 2))
names = int(word(ARG4, 3))
start = real(ARG7); end = real(ARG8)
unit = ARG9
if (words(ARG6)) { note = 'red: a fault strikes. '.note }
if (int(word(ARG4, 4))) { note = 'mean over the replications. '.note }
tall = rows == 1 ? 320 : rows == 2 ? 220 : 150
height = 135 + rows * tall + (rows - 1) * 54
if (height < 135 + 24 * n) { height = 135 + 24 * n }
load here.'style.gp'

left = 0.075
right = 0.93 - 0.0085 * (names < 8 ? 8 : names)
foot = 76.0 / height
gap_x = 0.075
gap_y = 54.0 / height
panel_x = (right - left - gap_x) / 2
panel_y = tall * 1.0 / height
set xrange [start:end]
set xtics autofreq font ',12' offset 0,0.35
set ytics autofreq font ',12'
unset key
do for [f=1:words(ARG6)] {
    fault = real(word(ARG6, f))
    set arrow from fault, graph 0 to fault, graph 1 nohead lc rgb fault_ink dt (5,4) lw 1.2
}
set multiplot title 'Classes over time' font ',17' offset 0,0.2

do for [p=0:2*rows-1] {
    row = p / 2
    lost = p % 2
    x = left + lost * (panel_x + gap_x)
    y = foot + (rows - 1 - row) * (panel_y + gap_y)
    set lmargin at screen x
    set rmargin at screen x + panel_x
    set bmargin at screen y
    set tmargin at screen y + panel_y
    if (p == 1) { unset label 100; unset key }
    if (p == 0) { set key at screen 0.985, screen 1 - 52.0/height right top Left reverse vertical width 0 }
    percent = lost ? 100.0 : 1.0
    high = percent * real(word(ARG5, p + 1))
    set yrange [0:high]
    set xlabel (row == rows - 1 ? 'time of arrival ['.unit.']' : '') font ',12' offset 0,0.4 textcolor rgb ink
    set ylabel (lost ? 'unanswered [%]' : 'P99 latency [s]') font ',12' offset 0.5,0 textcolor rgb ink
    first = row * (n + 1)
    plot for [i=1:n] data index first+i-1 using 1:(percent*column(2+lost)) \
             with lines ls i lw 1.6 notitle, \
         for [i=1:n] data index first+i-1 every 8::4 using 1:(percent*column(2+lost)) \
             with points ls i notitle, \
         for [i=1:n] data index first+i-1 using (NaN):(NaN) \
             with linespoints ls i title columnheader(1), \
         data index first+n using (start):(high):(lost ? '' : strcol(2)) \
             with labels left noenhanced offset 0,0.75 font ',13' textcolor rgb ink notitle
}
unset multiplot
