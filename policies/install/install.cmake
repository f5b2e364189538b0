# What a host or a policy of others needs: headers, the library in both kinds,
# every policy as an object, and how pkg-config and CMake find them.
include(CMakePackageConfigHelpers)

# Includes name the folder, "policies/lbp.h", as they do here.
add_library(lbpolicy_contract INTERFACE)
add_library(lbsim::contract ALIAS lbpolicy_contract)
set_target_properties(lbpolicy_contract PROPERTIES EXPORT_NAME contract)
target_include_directories(lbpolicy_contract INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/lbsim>)

# The objects of the static library, whose functions others may call. Its
# version is the contract's: a host that was linked to it keeps working.
add_library(lbpolicy_shared SHARED $<TARGET_OBJECTS:lbpolicy>)
add_library(lbsim::policies_shared ALIAS lbpolicy_shared)
set(map ${CMAKE_CURRENT_SOURCE_DIR}/install/lbpolicy.map)
target_link_libraries(lbpolicy_shared PUBLIC lbpolicy_contract
    PRIVATE $<BUILD_INTERFACE:lbsim_options> m)
target_link_options(lbpolicy_shared PRIVATE -Wl,--version-script=${map})
set_target_properties(lbpolicy_shared PROPERTIES
    OUTPUT_NAME lbpolicy VERSION 1.${PROJECT_VERSION} SOVERSION 1
    EXPORT_NAME policies_shared LINKER_LANGUAGE C LINK_DEPENDS ${map})

install(TARGETS lbpolicy_contract lbpolicy lbpolicy_shared EXPORT lbsim-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
            NAMELINK_COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
get_property(objects GLOBAL PROPERTY LBSIM_POLICY_OBJECTS)
install(TARGETS ${objects}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lbsim/policies
            COMPONENT library)
install(FILES lbp.h registry.h params.h table.h hash.h explain.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lbsim/policies
    COMPONENT development)
install(EXPORT lbsim-targets NAMESPACE lbsim::
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lbsim COMPONENT development)

configure_package_config_file(install/lbsim-config.cmake.in lbsim-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lbsim
    PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(lbsim-config-version.cmake
    COMPATIBILITY SameMinorVersion)
# From where the file lies, so that the tree may be moved; but for a library
# that was sent elsewhere by an absolute path.
set(LBP_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
set(LBP_PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})
set(LBP_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}${CMAKE_INSTALL_INCLUDEDIR}")
    file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
    string(REGEX REPLACE "/$" "" LBP_PC_PREFIX "\${pcfiledir}/${up}")
    set(LBP_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    set(LBP_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(install/lbpolicy.pc.in lbpolicy.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lbsim-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/lbsim-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lbsim COMPONENT development)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lbpolicy.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
