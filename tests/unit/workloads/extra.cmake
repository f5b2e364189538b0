# The published pcg64 is a C++ header: its comparison with ours is built where
# both it and a C++ compiler are found, and nothing else needs C++.
include(CheckLanguage)
find_path(PCG_INCLUDE_DIR pcg_random.hpp)
check_language(CXX)
if(PCG_INCLUDE_DIR AND CMAKE_CXX_COMPILER)
    enable_language(CXX)
    add_library(pcg_reference OBJECT unit/workloads/pcg_reference.cpp)
    target_include_directories(pcg_reference SYSTEM PRIVATE ${PCG_INCLUDE_DIR})
    target_compile_options(pcg_reference PRIVATE -Wall -Wextra)
    lbsim_unit_test(unit/workloads/pcg_equality.c lbsim_workloads)
    target_link_libraries(workloads_pcg_equality PRIVATE pcg_reference)
else()
    message(STATUS "No pcg_random.hpp or C++ compiler: "
                   "the comparison with the published pcg64 is not built")
endif()
