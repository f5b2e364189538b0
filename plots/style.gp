# The look that all charts share. A chart sets out, note and, if it wants more
# room, height or width (in SVG pixels), then loads this file.
#
# Colours: Okabe and Ito, "Color Universal Design" (2008), without their black
# and yellow, and a grey. Every series has a dash and a point of its own too,
# so that a grey print can still be read.
is_svg = out[strlen(out)-3:] eq '.svg'
if (!exists('height')) height = 600
if (!exists('width')) width = 960
if (is_svg) {
    set terminal svg size width,height dynamic font 'DejaVu Sans,14' linewidth 1 background rgb 'white' enhanced
} else {
    set terminal pngcairo size int(1.5*width),int(1.5*height) font 'DejaVu Sans,15.5' linewidth 1.5 pointscale 1.4 background rgb 'white' enhanced
}
set output out
set encoding utf8
set decimalsign '.'
set datafile separator tab
set datafile commentschars ''         # a name may begin with any letter

ink = '#202020'
soft = '#606060'
goal_ink = '#B00020'
fault_ink = '#B00020'
back_ink = '#8E24AA'
down_grey = '#9A9A9A'

# Series i, counted from 1, is the policy's place in the experiment. Seven
# colours and five dashes meet again only after 35.
colours = '0x0072B2 0xD55E00 0x009E73 0xCC79A7 0xE69F00 0x56B4E9 0x4D4D4D'
points = '7 5 9 13 11 4 6 8 12'
sizes = '0.9 0.85 1.05 1.1 1.05 0.9 0.9 1.0 1.1'
colour(i) = int(word(colours, (int(i) - 1) % 7 + 1))
point(i) = int(word(points, (int(i) - 1) % 9 + 1))
shrink = is_svg ? 0.65 : 1.0           # an SVG draws the same size larger
size(i) = shrink * real(word(sizes, (int(i) - 1) % 9 + 1))
do for [i=1:40] {
    k = (i - 1) % 5
    if (k == 0) { set style line i dt 1 }
    if (k == 1) { set style line i dt (10,4) }
    if (k == 2) { set style line i dt (3,3) }
    if (k == 3) { set style line i dt (10,3,2,3) }
    if (k == 4) { set style line i dt (16,3) }
    set style line i lc rgb colour(i) lw 2.0 pt point(i) ps size(i)
}
set style line 100 lc rgb '#404040' lw 1.0    # frame
set style line 101 lc rgb '#DCDCDC' lw 0.7    # grid

set border 3 ls 100
set tics nomirror out scale 0.6 textcolor rgb '#404040' noenhanced
set grid ls 101
set key noenhanced textcolor rgb ink samplen 2.6 spacing 1.25
set title font ',17' textcolor rgb ink
set bars 0.6
set label 100 note at screen 0.985,0.022 right noenhanced font ',10' textcolor rgb soft

# Darker is fuller, from straw to midnight along one path of falling
# lightness. It judges nothing: full is not bad, nor is even good.
set palette defined (0 '#FFFFE0', 0.25 '#C7E9B4', 0.5 '#41B6C4', 0.75 '#225EA8', 1 '#081D58')

# How cells are drawn. An SVG holds an image as a small picture, which some
# viewers blur when they enlarge it, so there few cells become shapes instead.
# As shapes, many would make a file of many megabytes.
cells_as(count) = is_svg && count <= 20000 ? 'pixels' : ''
