# From which share of repeats consistent hashing pays, against the size of the
# caches: a panel for each load and rival, a line for each skew.
#
# gnuplot -c repeats_map.gp OUT DATA NOTE
# DATA: twelve blocks of entries, crossing and its interval in per cent: load
# 0.89 and 0.48, of each round_robin and least_conn, of each skew 0.6, 0.9, 1.2.
here = ARG0[1:strlen(ARG0)-strlen('repeats_map.gp')]
out = ARG1; data = ARG2; note = ARG3
width = 960; height = 720
load here.'style.gp'

set multiplot layout 2,2 title 'Share of repeats from which ring\_hash has the lower mean latency' font ',17' textcolor rgb ink \
    margins 0.075,0.985,0.115,0.885 spacing 0.06,0.12
set logscale x 2
set xrange [200:5200]
set yrange [0:60]
set xtics ('256' 256, '1024' 1024, '4096' 4096)
set ytics 10
set key top right width 1
set style fill transparent solid 0.18 noborder

do for [panel=0:3] {
    of = panel < 2 ? 'load 89 % without hits' : 'load 48 % without hits'
    set title (panel % 2 == 0 ? 'against round\_robin, ' : 'against least\_conn, ').of font ',14'
    set xlabel panel < 2 ? '' : 'entries of each node''s cache, log scale' textcolor rgb ink
    set ylabel panel % 2 == 0 ? 'repeats in %' : '' textcolor rgb ink
    if (panel == 0) { set key } else { unset key }
    plot for [k=0:2] data index 3*panel+k using 1:3:4 with filledcurves fc rgb colour(k+1) notitle, \
         for [k=0:2] data index 3*panel+k using 1:2 with linespoints ls k+1 title 'skew '.word('0.6 0.9 1.2', k+1)
    unset label 100
}
unset multiplot
