# A measure against a setting that several runs differ in, one line a policy,
# with its interval as a band (as whiskers where values are words).
#
# gnuplot -c against.gp OUT DATA NOTE STYLES X Y XLABEL YLABEL MORE
# STYLES: series of each block of DATA but the first; X: linear, log or places,
# and the first and last place; Y: low and high end of the axis, a low above 0
# asks for a log scale. DATA: a block of place and text of each value; then for
# each policy its name, and place, value, low and high end of the interval, NaN
# where it is infinite. MORE: letters of the longest name, for which the picture
# grows, and the number of infinite points; if there are any, a last block has
# place, series, and which of how many it is at this place.
here = ARG0[1:strlen(ARG0)-strlen('against.gp')]
out = ARG1; data = ARG2; note = ARG3
styles = ARG4
scale = word(ARG5, 1)
first = real(word(ARG5, 2)); last = real(word(ARG5, 3))
bottom = real(word(ARG6, 1)); top = real(word(ARG6, 2))
n = words(styles)
places = scale eq 'places'
note = (places ? 'whiskers' : 'bands').': confidence intervals. '.note
longest = int(word(ARG9, 1)); infinite = int(word(ARG9, 2))
width = 960 + (longest > 26 ? int(8.2 * (longest - 26)) : 0)
height = n > 12 ? 520 + 24 * (n - 12) : 520
load here.'style.gp'

set title ARG8.' against '.ARG7 noenhanced
set xlabel ARG7 offset 0,0.4 textcolor rgb ink noenhanced
set ylabel (bottom > 0 ? ARG8.', log scale' : ARG8) textcolor rgb ink noenhanced
set bmargin 5
set lmargin 11.5
set key outside right top Left reverse width 1
if (bottom > 0) {
    set logscale y
    low = bottom; high = top; axis = 'y'; load here.'log_tics.gp'
}
set yrange [bottom:top]
if (scale eq 'log') {
    set logscale x
    low = first; high = last; axis = 'x'; load here.'log_tics.gp'
    set xrange [first/1.15:last*1.15]
} else {
    margin = places ? 0.4 : 0.03 * (last > first ? last - first : 1)
    set xrange [first-margin:last+margin]
}

# What is infinite has a triangle at the upper edge; those of one place stand
# beside each other.
beside(i, m) = (i - (m - 1) / 2.0) * 0.014
aside(x, i, m) = scale eq 'log' && last > first ? x * (last / first) ** beside(i, m) \
                 : x + beside(i, m) * (last > first ? last - first : 1)
if (infinite > 0) {
    infinities = 'data index n+1 using (aside($1, $3, $4)):(top):(colour($2)) with points pt 9 ps 1.5*shrink lc rgb variable notitle, ' \
               . 'NaN with points pt 9 ps 1.5*shrink lc rgb soft title "infinite"'
} else {
    infinities = 'NaN notitle'
}

# Places side by side: the policies of one place stand beside each other.
shift(i) = places ? (i - (n + 1) / 2.0) * 0.5 / (n + 1) : 0
if (places) {
    set xtics () scale 0
    plot data index 0 using 1:(NaN):xtic(2) notitle, \
         for [i=1:n] data index i using ($1+shift(i)):2:3:4 \
             with yerrorbars ls int(word(styles, i)) dt 1 lw 1.6 notitle, \
         for [i=1:n] data index i using (NaN):(NaN) \
             with points ls int(word(styles, i)) title columnheader(1), \
         @infinities
} else {
    plot for [i=1:n] data index i using 1:3:4 \
             with filledcurves lc rgb colour(int(word(styles, i))) \
             fillstyle transparent solid 0.18 noborder notitle, \
         for [i=1:n] data index i using 1:2 \
             with linespoints ls int(word(styles, i)) lw 1.8 notitle, \
         for [i=1:n] data index i using (NaN):(NaN) \
             with linespoints ls int(word(styles, i)) title columnheader(1), \
         @infinities
}
