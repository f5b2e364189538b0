# Latency of all requests: which share is answered within which time. The scale
# upwards gives every further nine the same room, because above P90 is where
# policies differ and a plain axis shows that as one thin line.
#
# gnuplot -c latency_cdf.gp OUT DATA NOTE STYLES GOALS LOW HIGH LOG TOP
# STYLES: series of each block of DATA, such as '1 2 4'; GOALS: triples of a
# share, the seconds it must be answered in, and 0 = within the axis, 1 = beyond
# it and met by all policies, 2 = beyond it and missed by some; LOW, HIGH, LOG:
# time axis in seconds, 1 = log scale; TOP: upper end as -log10(1-share).
here = ARG0[1:strlen(ARG0)-strlen('latency_cdf.gp')]
out = ARG1; data = ARG2; note = ARG3
styles = ARG4
goals = ARG5
low = real(ARG6); high = real(ARG7)
top = real(ARG9)
height = words(styles) > 14 ? 600 + 24 * (words(styles) - 14) : 600
note = 'whiskers: confidence intervals. '.note
load here.'style.gp'

set title 'Latency: share of all requests answered within a time'
set ylabel 'share of requests [%], tail scale' textcolor rgb ink
if (int(ARG8)) {
    set logscale x
    set xlabel 'latency from intended arrival [s], log scale' textcolor rgb ink
    axis = 'x'; load here.'log_tics.gp'
} else {
    set xlabel 'latency from intended arrival [s]' textcolor rgb ink
}
set xrange [low:high]
tail(q) = -log10(1 - q)
set yrange [0:top]
set ytics ('0' 0, '50' tail(0.5), '75' tail(0.75), '90' 1, '95' tail(0.95), '99' 2, '99.9' 3, '99.99' 4)
set key outside right top Left reverse width 1
set lmargin 10.5
set bmargin 5

# A goal is a corner: a curve that meets it passes above and to the left.
tops = ''
do for [g=1:words(goals)/3] {
    share = real(word(goals, 3*g-2))
    bound = real(word(goals, 3*g-1))
    beyond = int(word(goals, 3*g))
    if (!beyond) {
        set arrow from bound, 0 to bound, tail(share) nohead front lc rgb goal_ink dt (6,4) lw 1.3
        set label at bound, tail(share) '' point pt 2 ps 1.3 lw 2 lc rgb goal_ink front
    }
    tops = tops.(g > 1 ? '; ' : '').(beyond ? '' : 'red: ')
    tops = tops.sprintf('goal P%g in %g s', 100 * share, bound)
    if (beyond == 1) { tops = tops.': beyond this axis, met by all' }
    if (beyond == 2) { tops = tops.': beyond this axis, not met by all' }
}
if (words(goals)) {
    set tmargin 4.6
    set title offset 0,1.1
    set label 101 tops at graph 0.5, graph 1 center front offset 0,0.8 font ',11.5' textcolor rgb goal_ink
}

n = words(styles)
plot for [i=1:n] data index i-1 using 1:2 \
         with lines ls int(word(styles, i)) notitle, \
     for [i=1:n] data index i-1 using 1:($5 > 0 ? $2 : NaN):3:4 \
         with xerrorbars ls int(word(styles, i)) dt 1 lw 1.2 notitle, \
     for [i=1:n] data index i-1 using (NaN):(NaN) \
         with linespoints ls int(word(styles, i)) title columnheader(1)
