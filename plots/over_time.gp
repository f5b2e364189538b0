# One line a policy over time: requests in flight or waiting at the front door, the
# limit on those in flight, the share of answers that came from caches, nodes, the
# share of nodes that balancers left out because of what traffic told, or the share of
# time in which balancers panicked. A gap means that there is no value.
#
# gnuplot -c over_time.gp OUT DATA NOTE STYLES FAULTS START END UNIT WHAT
# STYLES: series of each block of DATA (time, value); FAULTS: when faults struck;
# times in UNIT, from START to END; WHAT: in_flight, hits, members, ejected,
# panics, door_queue or admission_limit; high end of the axis;
# 1 = a point is a mean of several replications; then pairs of times between which
# a shared cache was out.
here = ARG0[1:strlen(ARG0)-strlen('over_time.gp')]
out = ARG1; data = ARG2; note = ARG3
styles = ARG4
start = real(ARG6); end = real(ARG7)
unit = ARG8
what = word(ARG9, 1)
high = real(word(ARG9, 2))
n = words(styles)
hits = what eq 'hits'
members = what eq 'members'
ejected = what eq 'ejected'
panics = what eq 'panics'
percent = hits || ejected || panics ? 100.0 : 1.0
outages = (words(ARG9) - 3) / 2
if (words(ARG5)) { note = 'red: a fault strikes. '.note }
if (outages > 0) { note = 'grey: the shared tier is out. '.note }
if (int(word(ARG9, 3))) { note = 'mean over the replications. '.note }
height = n > 12 ? 520 + 24 * (n - 12) : 520
load here.'style.gp'

door = what eq 'door_queue'
limit = what eq 'admission_limit'
set title (hits ? 'Answers from caches over time' : \
    members ? 'Nodes over time' : \
    ejected ? 'Nodes left out over time' : \
    panics ? 'Panics over time' : \
    door ? 'Requests waiting at the front door over time' : \
    limit ? 'Limit on requests in flight over time' : \
    'Requests in flight over time')
set xlabel (hits ? 'time of arrival [' : 'simulated time [').unit.']' offset 0,0.4 textcolor rgb ink
set ylabel (hits ? 'share of answers [%]' : \
    members ? 'nodes, from their order until they left' : \
    ejected ? 'share of nodes that traffic made balancers leave out [%]' : \
    panics ? 'balancers that overlook their doubts [%]' : \
    door ? 'requests that wait' : \
    limit ? 'most requests in flight' : \
    'requests sent and unanswered') textcolor rgb ink
set bmargin 5
set lmargin 10.5
set xrange [start:end]
set yrange [0:percent*high]
set key outside right top Left reverse width 1

do for [o=1:outages] {
    set object o rectangle from real(word(ARG9, 2*o+2)), graph 0 to real(word(ARG9, 2*o+3)), graph 1 \
        behind fillcolor rgb '#E4E4E4' fillstyle solid 1 noborder
}
do for [f=1:words(ARG5)] {
    fault = real(word(ARG5, f))
    set arrow from fault, graph 0 to fault, graph 1 nohead lc rgb fault_ink dt (5,4) lw 1.2
}
plot for [i=1:n] data index i-1 using 1:(percent*$2) \
         with lines ls int(word(styles, i)) lw 1.8 notitle, \
     for [i=1:n] data index i-1 every 4::1 using 1:(percent*$2) \
         with points ls int(word(styles, i)) notitle, \
     for [i=1:n] data index i-1 using (NaN):(NaN) \
         with linespoints ls int(word(styles, i)) title columnheader(1)
