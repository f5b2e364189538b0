# Tics of the log axis that axis names ('x' or 'y'), from low to high: 1-2-5
# over up to three decades, 1-3 up to four and a half, then only the decades.
span = log10(high / low)
steps = span < 3.2 ? '1 2 5' : span < 4.7 ? '1 3' : '1'
if (axis eq 'x') { set xtics () } else { set ytics () }
do for [decade=floor(log10(low)):ceil(log10(high))] {
    do for [k=1:words(steps)] {
        tic = real(word(steps, k)) * 10.0**decade
        if (tic >= low * 0.999 && tic <= high * 1.001) {
            if (axis eq 'x') {
                set xtics add (sprintf('%g', tic) tic)
            } else {
                set ytics add (sprintf('%g', tic) tic)
            }
        }
    }
}
