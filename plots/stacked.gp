# What became of requests over time: shares of those that arrived, laid upon each
# other, a panel for each policy.
#
# gnuplot -c stacked.gp OUT DATA NOTE WHAT FAULTS START END UNIT LAYERS
# WHAT: refused or degraded; how many panels; high end of the axis; 1 = a point is a
# mean of several replications. FAULTS: when faults struck; times in UNIT, from START
# to END. LAYERS: a word for each, from below.
# DATA: per panel two blocks: rows of time and the sums of the first layer, of the first
# two, and so on; its place and name.
here = ARG0[1:strlen(ARG0)-strlen('stacked.gp')]
out = ARG1; data = ARG2; note = ARG3
refused = word(ARG4, 1) eq 'refused'
panels = int(word(ARG4, 2))
high = 100 * real(word(ARG4, 3))
start = real(ARG6); end = real(ARG7)
unit = ARG8
layers = words(ARG9)
if (words(ARG5)) { note = 'red: a fault strikes. '.note }
if (int(word(ARG4, 4))) { note = 'mean over the replications. '.note }
across = panels <= 3 ? 1 : 2
down = (panels + across - 1) / across
tall = panels == 1 ? 380 : panels == 2 ? 220 : 150
height = 166 + down * tall + (down - 1) * 54
load here.'style.gp'

left = 0.075
right = 0.975
foot = 114.0 / height
gap_x = 0.06
gap_y = 54.0 / height
panel_x = (right - left - (across - 1) * gap_x) / across
panel_y = tall * 1.0 / height
set xrange [start:end]
set yrange [0:high]
set xtics autofreq font ',12' offset 0,0.35
set ytics font ',12'
set style fill solid 0.85 noborder
unset key
do for [f=1:words(ARG5)] {
    fault = real(word(ARG5, f))
    set arrow from fault, graph 0 to fault, graph 1 nohead front lc rgb fault_ink dt (5,4) lw 1.2
}
set multiplot title (refused ? 'Requests refused over time, by cause' : \
    'Degraded answers over time') font ',17' offset 0,0.2

do for [p=0:panels-1] {
    i = p % across
    j = p / across
    x = left + i * (panel_x + gap_x)
    y = foot + (down - 1 - j) * (panel_y + gap_y)
    set lmargin at screen x
    set rmargin at screen x + panel_x
    set bmargin at screen y
    set tmargin at screen y + panel_y
    if (p == 0) {
        set key at screen 0.5, screen 36.0/height center bottom horizontal width 1 font ',12'
    } else {
        unset key
        unset label 100
    }
    set xlabel (p + across >= panels ? 'time of arrival ['.unit.']' : '') font ',12' offset 0,0.4 textcolor rgb ink
    set ylabel (i == 0 ? 'requests [%]' : '') font ',12' offset 0.5,0 textcolor rgb ink
    plot for [k=layers:1:-1] data index 2*p using 1:(100*column(k+1)) \
             with filledcurves y1=0 lc rgb colour(k) notitle, \
         for [k=1:layers] NaN with boxes lc rgb colour(k) title word(ARG9, k), \
         data index 2*p+1 using (start):(high):2:(colour($1)) \
             with labels left noenhanced offset 0,0.75 font ',13' textcolor rgb variable notitle
}
unset multiplot
