# Policies side by side: P99 latency and throughput, each with its interval,
# then the shares of requests answered and, if caches had any, of hits.
#
# gnuplot -c policies.gp OUT DATA NOTE ROWS P99_END THROUGHPUT_END GOAL NAME_WIDTH HITS
# ROWS: policies in DATA; the ENDs: right ends of the two axes; GOAL: the most
# that P99 may be, in seconds, 0 = none; NAME_WIDTH: letters of the longest name;
# HITS: 1 = there are any. DATA: place from 0, series, P99 with low end, high end
# and label, throughput likewise, name, 1 = P99 is infinite, answered, hits.
here = ARG0[1:strlen(ARG0)-strlen('policies.gp')]
out = ARG1; data = ARG2; note = ARG3
rows = int(ARG4)
p99_end = real(ARG5); throughput_end = real(ARG6)
goal = real(ARG7)
names = int(ARG8)
hits = int(ARG9)
height = rows <= 8 ? 148 + 43 * (rows < 3 ? 3 : rows) : 148 + 40 * rows
note = 'whiskers: confidence intervals. '.note
load here.'style.gp'

left = 0.03 + 0.0095 * (names < 8 ? 8 : names)
column = 0.088                      # of a column of shares
right = 0.985 - column * (hits ? 2 : 1)
middle = left + 0.56 * (right - left)
bottom = 84.0 / height
ceiling = 1 - 66.0 / height
half = 0.34                         # of a bar's thickness, in rows
set style textbox opaque noborder fillcolor rgb 'white' margins 0.7,0.6
unset key
set border 1
set xtics font ',12.5'
set style fill solid 0.88 noborder
set yrange [rows-0.4:-0.6]          # the first policy on top
set grid xtics noytics
label_font = rows <= 12 ? ',12.5' : ',11'

set multiplot title 'Policies compared' font ',17' offset 0,0.2
set lmargin at screen left
set rmargin at screen middle - 0.015
set tmargin at screen ceiling
set bmargin at screen bottom
row_font = rows <= 12 ? ',14' : ',12'
set ytics scale 0 font row_font
title_font = names <= 16 ? ',13.5' : ',12'
set title 'P99 of all requests (less is better)' font title_font offset 0,-0.4
goal_text = sprintf(goal < p99_end ? 'red: goal, at most %g s' : 'goal, at most %g s: beyond this axis', goal)
set xlabel (goal > 0 ? 'seconds  ('.goal_text.')' : 'seconds') font ',13' textcolor rgb ink
set xrange [0:p99_end]
# An infinite bar is pale, and hatched in grey: an SVG has one colour of hatch.
plot data using (0):1:(0):3:($1-half):($1+half):(colour($2)):ytic(11) \
         with boxxyerror lc rgb variable, \
     '' using (0):1:(0):(int($12) ? p99_end : 0):($1-half):($1+half):(colour($2)) \
         with boxxyerror fill solid 0.3 noborder lc rgb variable, \
     '' using (0):1:(0):(int($12) ? p99_end : 0):($1-half):($1+half) \
         with boxxyerror fill transparent pattern 4 noborder lc rgb soft, \
     '' every ::0::0 using (goal > 0 ? goal : -1):(-0.6):(0):(rows+0.2) \
         with vectors nohead lc rgb goal_ink dt (6,4) lw 1.3, \
     '' using (int($12) ? -1 : $3):1:(int($12) ? -1 : $4):(int($12) ? -1 : $5) \
         with xerrorbars lc rgb ink pt -1 lw 1.3, \
     '' using (int($12) ? 0.02 * p99_end : $3 > $5 ? $3 : $5):1:6 \
         with labels left noenhanced boxed offset 0.8,0 font label_font textcolor rgb ink
unset label 100                     # once is enough

set lmargin at screen middle + 0.015
set rmargin at screen right - 0.005
set title (names <= 16 ? 'throughput (more is better)' : 'throughput') font title_font
set xlabel 'answers per second' font ',13' textcolor rgb ink
set xrange [0:throughput_end]
set xtics font ',11.5'
set ytics format ''
plot data using (0):1:(0):7:($1-half):($1+half):(colour($2)) \
         with boxxyerror lc rgb variable, \
     '' using 7:1:8:9 with xerrorbars lc rgb ink pt -1 lw 1.3, \
     '' using ($7 > $9 ? $7 : $9):1:10 \
         with labels left noenhanced boxed offset 0.8,0 font label_font textcolor rgb ink

unset border
unset xtics
unset ytics
unset grid
unset xlabel
set xrange [0:1]
do for [k=0:hits] {
    set lmargin at screen right + k * column
    set rmargin at screen right + (k + 1) * column
    set title k ? 'cache hits' : 'answered' font title_font
    plot data using (0.5):1:(strcol(13 + k)) \
        with labels center noenhanced font label_font textcolor rgb ink
}
unset multiplot
