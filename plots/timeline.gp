# Latency over time: the P99 of the answers to the requests that arrived in each
# stretch of time, one line a policy. A gap means that none of them was answered.
# Below, if there are any, the share of them that got no answer.
#
# gnuplot -c timeline.gp OUT DATA NOTE STYLES FAULTS START END UNIT RANGE
# STYLES: series of each block of DATA (time, P99, share lost); FAULTS: when
# faults struck; times in UNIT, from START to END; RANGE: low and high end of the
# latency axis, a low above 0 asks for a log scale; the high end of the axis of
# losses, 0 = none; 1 = a point is a mean of several replications.
here = ARG0[1:strlen(ARG0)-strlen('timeline.gp')]
out = ARG1; data = ARG2; note = ARG3
styles = ARG4
start = real(ARG6); end = real(ARG7)
unit = ARG8
low = real(word(ARG9, 1)); high = real(word(ARG9, 2))
lost_end = real(word(ARG9, 3))
n = words(styles)
if (words(ARG5)) { note = 'red: a fault strikes. '.note }
if (int(word(ARG9, 4))) { note = 'points: mean over the replications. '.note }
upper = n > 12 ? 520 + 24 * (n - 12) : 520
lower = lost_end > 0 ? 160 : 0                  # SVG pixels of the panel of losses
height = upper + lower
load here.'style.gp'

set title 'P99 latency of answers over time'
time_label = 'time of arrival ['.unit.']'
if (lower) {
    set multiplot
    set tmargin at screen 1 - 52.0 / height
    set bmargin at screen (lower + 84.0) / height
    set format x ''
} else {
    set xlabel time_label offset 0,0.4 textcolor rgb ink
    set bmargin 5
}
set ylabel low > 0 ? 'P99 latency [s], log scale' : 'P99 latency [s]' textcolor rgb ink
if (low > 0) {
    set logscale y
    axis = 'y'; load here.'log_tics.gp'
}
set xrange [start:end]
set yrange [low:high]
set key outside right top Left reverse width 1
set lmargin 10.5

do for [f=1:words(ARG5)] {
    fault = real(word(ARG5, f))
    set arrow from fault, graph 0 to fault, graph 1 nohead lc rgb fault_ink dt (5,4) lw 1.2
}
plot for [i=1:n] data index i-1 using 1:2 \
         with lines ls int(word(styles, i)) lw 1.8 notitle, \
     for [i=1:n] data index i-1 every 4::1 using 1:2 \
         with points ls int(word(styles, i)) notitle, \
     for [i=1:n] data index i-1 using (NaN):(NaN) \
         with linespoints ls int(word(styles, i)) title columnheader(1)

# The room that the key left is known only now, and is the same below.
if (lower) {
    # Terminals draw on a finer grid than pixels; only SIZE counts its steps.
    finer = exists('GPVAL_TERM_SCALE') ? real(GPVAL_TERM_SCALE) : 1.0
    left = finer * GPVAL_TERM_XMIN / GPVAL_TERM_XSIZE
    right = finer * GPVAL_TERM_XMAX / GPVAL_TERM_XSIZE
    unset key
    unset title
    unset label 100
    unset logscale y
    set format x '%g'
    set lmargin at screen left
    set rmargin at screen right
    set tmargin at screen (lower + 59.0) / height
    set bmargin at screen 84.0 / height
    set xlabel time_label offset 0,0.4 textcolor rgb ink
    set ylabel 'unanswered [%]' textcolor rgb ink
    set yrange [0:100*lost_end]
    rough = 100 * lost_end / 4                  # four tics or so, in 1-2-5
    decade = 10.0 ** floor(log10(rough))
    tic = decade * (rough <= decade ? 1 : rough <= 2 * decade ? 2 : rough <= 5 * decade ? 5 : 10)
    set ytics tic
    plot for [i=1:n] data index i-1 using 1:(100*$3) \
        with lines ls int(word(styles, i)) lw 1.8 notitle
    unset multiplot
}
