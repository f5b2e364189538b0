# Shared objects that a scenario must refuse, one for each reason, and one that
# is in order: build/tests/objects/<reason>.so.
foreach(reason NOTHING ENTRY "NULL" VERSION SIZE PLACE SYMBOL NEEDS
               CHANGING)
    string(TOLOWER ${reason} name)
    add_library(test_object_${name} MODULE unit/scenario/objects/refused.c)
    target_link_libraries(test_object_${name} PRIVATE lbsim_options)
    target_compile_definitions(test_object_${name} PRIVATE REFUSED_${reason})
    set_target_properties(test_object_${name} PROPERTIES
        PREFIX "" OUTPUT_NAME ${name} C_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/objects)
    add_dependencies(scenario_test_shared_policy test_object_${name})
endforeach()
