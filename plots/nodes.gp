# Who got the work: every policy's share of attempts and busy share per node.
#
# gnuplot -c nodes.gp OUT DATA NOTE SIZES SHARE_END STARS EDGES
# SIZES: how many policies and nodes; letters of the longest name of a policy
# and of a node. SHARE_END: top of the scale of shares; STARS: 1 = a name
# carries a star; EDGES: where lines part the groups of nodes. DATA: a block of
# cells, one of policies, one of nodes' names.
here = ARG0[1:strlen(ARG0)-strlen('nodes.gp')]
out = ARG1; data = ARG2; note = ARG3
policies = int(word(ARG4, 1)); nodes = int(word(ARG4, 2))
policy_letters = int(word(ARG4, 3)); node_letters = int(word(ARG4, 4))
share_end = real(ARG5)
if (int(ARG6)) { note = '* down for a part of the time. '.note }
rows = policies < 3 ? 3 : policies > 24 ? 24 : policies
panel_room = 28 * rows + 10                     # all in SVG pixels
turn = nodes * node_letters > 84                # names that collide stand up
foot_room = turn ? 44 + 7.6 * node_letters : 62.0
height = int(70 + 2 * panel_room + 44 + foot_room)
load here.'style.gp'

left = 0.04 + 0.0088 * (policy_letters < 8 ? 8 : policy_letters)
foot = 1.0 * foot_room / height
panel = panel_room * 1.0 / height
gap = 44.0 / height
numbers = nodes <= 16               # cells wide enough to be read
set border 0
unset key
unset grid
set tics scale 0
unset xtics
set xrange [-0.5:nodes-0.5]
set yrange [policies-0.5:-0.5]
set lmargin at screen left
set rmargin at screen 0.885
set colorbox user size 0.014, panel front noborder
set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb '#F2F2F2' fs solid noborder
upright = turn ? 'rotate by 90 right offset 0,-0.5' : 'center offset 0,-1'
node_font = nodes <= 24 ? ',12' : ',10'
set title font ',14' offset 0,-0.5
row_font = policies <= 12 ? ',13' : ',10'
set ytics font row_font
cells = cells_as(policies * nodes)
white_from(part) = part > 0.55 ? 0xFFFFFF : 0x202020
number(percent) = !numbers || percent != percent ? '' : sprintf(percent < 9.95 ? '%.1f' : '%.0f', percent)
number_font = nodes <= 10 ? ',12' : ',10'
if (policies > 14) { number_font = ',9' }

do for [e=1:words(ARG7)] {
    edge = real(word(ARG7, e))
    set arrow from edge, graph 0 to edge, graph 1 nohead front lc rgb 'white' lw 3
}

set multiplot title 'Work per node' font ',17' offset 0,0.2
# Each panel: cells, their numbers, the policy's colour beside its name.
do for [k=1:2] {
    source = k == 1 ? 3 : 4
    end = k == 1 ? share_end : 1.0
    base = k == 1 ? foot + panel + gap : foot
    set bmargin at screen base
    set tmargin at screen base + panel
    set colorbox user origin 0.9, base
    set cbrange [0:100*end]
    set cbtics format '%g %%' font ',11' scale 0.4
    set title k == 1 ? 'share of all attempts' : 'busy share'
    if (k == 2) { unset label 100 }             # once is enough
    plot data index 0 using 1:2:(100*column(source)) with image @cells, \
         '' index 0 using 1:2:(number(100*column(source))): \
             (white_from(column(source)/end)) \
             with labels font number_font textcolor rgb variable, \
         '' index 1 using (-0.5):1:(colour($2)):ytic(3) \
             with points pt 5 ps 1.2 lc rgb variable, \
         '' index 2 using 1:(policies-0.5):(k == 2 ? strcol(2) : '') \
             with labels @upright noenhanced font node_font textcolor rgb '#404040'
}
unset multiplot
