# Nodes against time, a panel for each policy: how busy every node was, or what it
# weighed, when it was down (grey), when a fault struck (red) and when a node came
# back (violet).
#
# gnuplot -c heatmap.gp OUT DATA NOTE SIZES START END UNIT FAULTS RESTARTS
# SIZES: how many panels, nodes and time steps; letters of a node's longest name;
# use or weight; the value that is darkest; 1 = some node was not there for a while;
# kinds of faults that are shown as bands.
# DATA: per panel three blocks (its cells, its name, its down times), then the
# nodes' names, then per panel a block of bands (start, node, end, colour). Down
# times and bands begin with a row out of sight, to be never empty.
# Times in UNIT, from START to END; FAULTS: when faults struck;
# RESTARTS: when nodes came back.
here = ARG0[1:strlen(ARG0)-strlen('heatmap.gp')]
out = ARG1; data = ARG2; note = ARG3
panels = int(word(ARG4, 1)); nodes = int(word(ARG4, 2))
names = int(word(ARG4, 4))
weight = word(ARG4, 5) eq 'weight'
most = real(word(ARG4, 6))
percent = weight ? 1.0 : 100.0
first_kind = 8
kinds = words(ARG4) - first_kind + 1
cell_count = panels * nodes * int(word(ARG4, 3))
start = real(ARG5); end = real(ARG6)
unit = ARG7
across = panels <= 3 ? 1 : panels <= 6 ? 2 : 3
down = (panels + across - 1) / across
tall = panels == 1 ? (nodes > 32 && nodes <= 40 ? 480 : 400) : nodes <= 12 ? 150 : nodes <= 20 || nodes > 40 ? 200 : 10 * nodes
height = 135 + down * tall + (down - 1) * 54
marks = words(ARG8) ? ', dashed red: a fault strikes' : ''
if (words(ARG9)) { marks = marks.', dotted violet: back again' }
ink_of(kind) = kind eq 'slow' ? 'orange' : kind eq 'hang' ? 'purple' : kind eq 'black_hole' ? 'black' : kind eq 'fail_fast' ? 'crimson' : kind eq 'memory_leak' ? 'olive' : kind eq 'partition' ? 'blue' : kind eq 'probe_loss' ? 'green' : kind eq 'report_loss' ? 'sky' : 'mint'
bands = ''
do for [k=first_kind:words(ARG4)] {
    bands = bands.', '.ink_of(word(ARG4, k)).': '.word(ARG4, k)
}
if (kinds <= 2) { marks = marks.bands }
if (int(word(ARG4, 7))) { marks = ', pale: not there'.marks }
if (strlen(marks)) { note = 'grey: node down'.marks.'. '.note }
if (kinds > 2) { note = note."\n".bands[3:] }
load here.'style.gp'
# Two lines of small print need the room of two.
if (kinds > 2) { set label 100 at screen 0.985,(26.0/height) }

cells = cells_as(cell_count)
left = 0.03 + 0.0078 * (names < 6 ? 6 : names)
right = 0.885
foot = 76.0 / height
gap_x = 0.022
gap_y = 54.0 / height
panel_x = (right - left - (across - 1) * gap_x) / across
panel_y = tall * 1.0 / height
set xrange [start:end]
set yrange [nodes-0.5:-0.5]
set cbrange [0:percent*most]
set border 15 ls 100
unset key
unset grid
set tics scale 0.4
unset ytics
set xtics autofreq font ',12' offset 0,0.35
set cbtics format (weight ? '%g' : '%g %%') font ',12'
set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb '#F2F2F2' fs solid noborder
set style fill solid 1 noborder
row_font = nodes <= 8 || panels == 1 && nodes <= 30 ? ',11.5' : nodes <= 16 ? ',9.5' : ',8.5'
do for [f=1:words(ARG8)] {
    fault = real(word(ARG8, f))
    set arrow from fault, graph 0 to fault, graph 1 nohead front lc rgb fault_ink dt (12,6) lw 1.3
}
do for [f=1:words(ARG9)] {
    back = real(word(ARG9, f))
    set arrow from back, graph 0 to back, graph 1 nohead front lc rgb back_ink dt (2,5) lw 1.8
}
set multiplot title (weight ? 'Weight of every node over time' : 'Busy share of every node over time') font ',17' offset 0,0.2

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
        set colorbox user origin 0.9, foot size 0.014, 1 - foot - 59.0/height front noborder
    } else {
        unset colorbox
        unset label 100
    }
    lowest = p + across >= panels
    set xlabel lowest ? 'simulated time ['.unit.']' : '' font ',12' offset 0,0.4 textcolor rgb ink
    plot data index 3*p using 1:2:(percent*$3) with image @cells, \
         data index 3*p+2 using 1:2:1:3:($2-0.5):($2+0.5) \
             with boxxyerror lc rgb down_grey, \
         data index 3*panels+1+p using 1:2:1:3:($2+0.2):($2+0.45):4 \
             with boxxyerror lc rgb variable, \
         data index 3*panels using (start):1:(i == 0 ? strcol(2) : '') \
             with labels right noenhanced offset -0.7,0 font row_font textcolor rgb '#404040', \
         data index 3*p+1 using (start):(-0.5):2:(colour($1)) \
             with labels left noenhanced offset 0,0.75 font ',13' textcolor rgb variable
}
unset multiplot
