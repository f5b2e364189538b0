# The linker leads all allocations of this program through it. (Like all unit
# tests it is linked without link-time optimisation, which would resolve the
# names before the linker could.)
target_link_options(experiment_test_no_memory PRIVATE
    LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free)
