# The program, what it reads, what explains it; and Debian packages of all.

install(TARGETS lbsim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/plots
    DESTINATION ${CMAKE_INSTALL_DATADIR}/lbsim COMPONENT program
    FILES_MATCHING PATTERN "*.gp" PATTERN pictures EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenarios
    DESTINATION ${CMAKE_INSTALL_DATADIR}/lbsim COMPONENT program
    FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv" PATTERN "*.md")
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scenarios/engines/parallel.sh
                 ${PROJECT_SOURCE_DIR}/scenarios/engines/slurm.sbatch
    DESTINATION ${CMAKE_INSTALL_DATADIR}/lbsim/scenarios/engines
    COMPONENT program)
install(FILES install/lbsim.bash RENAME lbsim
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    COMPONENT program)

# Compressed as Debian wants them, without a name and time inside, so that two
# builds give the same bytes.
find_program(GZIP gzip REQUIRED)
function(lbsim_compress source target)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    execute_process(COMMAND ${GZIP} -9nc ${source} OUTPUT_FILE ${target}
                    COMMAND_ERROR_IS_FATAL ANY)
endfunction()
set(page ${CMAKE_CURRENT_BINARY_DIR}/lbsim.1)
configure_file(install/lbsim.1 ${page} @ONLY)
lbsim_compress(${page} ${page}.gz)
lbsim_compress(${PROJECT_SOURCE_DIR}/CHANGELOG.md
               ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz)
install(FILES ${page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT program)

# Each package tells its licence and what changed.
function(lbsim_documents package component licence)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
        COMPONENT ${component})
    install(FILES ${licence} RENAME copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
        COMPONENT ${component})
endfunction()
lbsim_documents(lbsim program ${PROJECT_SOURCE_DIR}/LICENSE)
lbsim_documents(liblbpolicy1 library ${PROJECT_SOURCE_DIR}/policies/LICENSE)
lbsim_documents(liblbpolicy-dev development
                ${PROJECT_SOURCE_DIR}/policies/LICENSE)
install(FILES ${PROJECT_SOURCE_DIR}/README.md
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lbsim COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/policies/README.md
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/liblbpolicy-dev
    COMPONENT development)

# ---- Debian packages: cpack -G DEB in the build folder ----

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lbsim)
set(CPACK_PACKAGE_VENDOR lbsim)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_CONTACT "lbsim maintainers <lbsim@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS # whatever the umask is
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_CMAKE_GENERATOR Ninja)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME lbsim)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gnuplot-nox, fonts-dejavu-core")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "bash-completion, liblbpolicy-dev")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
"compares load-balancing policies in front of inference nodes
Replays recorded or made traffic through a model of GPU and CPU nodes that are
slow, full or failing, lets the policies decide, and reports latency, cache
hits, balance and errors with confidence and a verdict.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME liblbpolicy1)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
"load-balancing policies for inference nodes, as a library
The policies that lbsim compares, for a proxy to decide with: as one shared
library, and each as an object to load. Needs the C library alone.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME liblbpolicy-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "liblbpolicy1 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
"contract of load-balancing policies, for hosts and policies
Headers, the static library, and what pkg-config and CMake need to find them. A
policy is one C file against policies/lbp.h.")
include(CPack)
