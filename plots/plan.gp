# The mixes of nodes that a plan asked. Of two groups: which are enough, a policy
# beside the other. Of one: a goal against the count, with its interval.
#
# gnuplot -c plan.gp OUT DATA NOTE STYLES X Y XLABEL YLABEL MORE
# STYLES: series of each block of DATA; X: least and most nodes; Y: low and high
# end, 1 = a log scale; MORE: "mixes" of two groups or "counts" of one, the bound
# of the goal, letters of the longest name, for which the picture grows. DATA: for
# each policy its name, then count, value (or count of the second group), low and
# high end of the interval, and 0 = missed, 1 = cannot be told, 2 = met, 3 = chosen.
here = ARG0[1:strlen(ARG0)-strlen('plan.gp')]
out = ARG1; data = ARG2; note = ARG3
styles = ARG4
first = real(word(ARG5, 1)); last = real(word(ARG5, 2))
bottom = real(word(ARG6, 1)); top = real(word(ARG6, 2))
mixes = word(ARG9, 1) eq 'mixes'
bound = real(word(ARG9, 2)); longest = int(word(ARG9, 3))
n = words(styles)
width = 960 + (longest > 26 ? int(8.2 * (longest - 26)) : 0)
height = n > 12 ? 520 + 24 * (n - 12) : 520
if (!mixes) { note = 'whiskers: confidence intervals; red: the goal. '.note }
load here.'style.gp'

set title (mixes ? 'Mixes of nodes that are enough, and that are not' : 'A goal against the number of nodes')
set xlabel ARG7 offset 0,0.4 textcolor rgb ink noenhanced
set ylabel ARG8.(int(word(ARG6, 3)) ? ', log scale' : '') textcolor rgb ink noenhanced
set bmargin 5
set lmargin 11.5
set key outside right top Left reverse width 1
if (int(word(ARG6, 3))) {
    set logscale y
    low = bottom; high = top; axis = 'y'; load here.'log_tics.gp'
}
set xrange [first-0.7:last+0.7]
set yrange [bottom:top]
tick = int((last - first) / 15) + 1
set xtics tick
if (mixes) { set ytics int((top - bottom) / 15) + 1 }
if (!mixes) {
    set arrow from graph 0, first bound to graph 1, first bound nohead lc rgb goal_ink dt (6,4) lw 1.4
}

# Policies that asked for the same mix stand beside each other.
aside(i) = n > 1 ? (i - (n + 1) / 2.0) * 0.5 / n : 0
is(kind, value) = int(kind) == value ? 1 : NaN
style(i) = int(word(styles, i))
curves = mixes ? '' : \
    'for [i=1:n] data index i-1 using ($1+aside(i)):2 smooth unique ' \
  . '    with lines lc rgb colour(style(i)) lw 1.3 notitle, ' \
  . 'for [i=1:n] data index i-1 using ($1+aside(i)):2:3:4 ' \
  . '    with yerrorbars pt 0 lc rgb colour(style(i)) lw 1.2 notitle, '
plot @curves \
     for [i=1:n] data index i-1 using ($1+aside(i)):($2*is($5,0)) \
         with points pt 2 ps 1.1*shrink lw 1.6 lc rgb colour(style(i)) notitle, \
     for [i=1:n] data index i-1 using ($1+aside(i)):($2*is($5,1)) \
         with points pt 6 ps 1.1*shrink lw 1.6 lc rgb colour(style(i)) notitle, \
     for [i=1:n] data index i-1 using ($1+aside(i)):($2*is($5,2)) \
         with points pt 7 ps 1.1*shrink lc rgb colour(style(i)) notitle, \
     for [i=1:n] data index i-1 using ($1+aside(i)):($2*is($5,3)) \
         with points pt 7 ps 1.2*shrink lc rgb colour(style(i)) notitle, \
     for [i=1:n] data index i-1 using ($1+aside(i)):($2*is($5,3)) \
         with points pt 6 ps 2.6*shrink lw 2 lc rgb colour(style(i)) notitle, \
     for [i=1:n] data index i-1 using (NaN):(NaN) \
         with points pt 5 ps 1.1*shrink lc rgb colour(style(i)) title columnheader(1), \
     NaN with points pt 7 ps 1.1*shrink lc rgb soft title 'enough', \
     NaN with points pt 2 ps 1.1*shrink lw 1.6 lc rgb soft title 'a goal is missed', \
     NaN with points pt 6 ps 1.1*shrink lw 1.6 lc rgb soft title 'cannot be told', \
     NaN with points pt 6 ps 2.6*shrink lw 2 lc rgb soft title 'chosen'
