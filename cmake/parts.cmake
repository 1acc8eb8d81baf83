# SPDX-License-Identifier: Apache-2.0
#
# The libraries above the library agentchat, which links none of them, nor what they link: agentchat-view writes web
# pages; agentchat-sqlite and agentchat-postgres keep stores, one for each backend, and agentchat-store opens a store by
# its URL and links the backends that are built. Each is shared and static as agentchat is: agentchat::<part> is what
# programs link, agentchat::<part>_shared and agentchat::<part>_static for who wants to choose. scripts/check-layers
# says which headers each sees.
#
# Sets agentchat_backends (those that are built), agentchat_parts (every library that is), and agentchat_parts_links
# (what they need of others).

set(AGENTCHAT_VIEW AUTO CACHE STRING "Build the web pages of chats: ON, OFF, or AUTO, when cmark is found")
set(AGENTCHAT_SQLITE AUTO CACHE STRING "Build the stores in SQLite: ON, OFF, or AUTO, when it is found")
set(AGENTCHAT_POSTGRES AUTO CACHE STRING "Build the stores on PostgreSQL: ON, OFF, or AUTO, when libpq is found")
set_property(CACHE AGENTCHAT_VIEW AGENTCHAT_SQLITE AGENTCHAT_POSTGRES PROPERTY STRINGS AUTO ON OFF)

# agentchat_part(name LINKS target… ABOVE part…): the library agentchat-<name> of the sources that
# agentchat_<name>_objects gets. LINKS: what it needs of others; ABOVE: parts that it uses.
function(agentchat_part name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;ABOVE")
  add_library(agentchat_${name}_objects OBJECT)
  target_include_directories(agentchat_${name}_objects PRIVATE "${PROJECT_SOURCE_DIR}/include"
                                                               "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(agentchat_${name}_objects PRIVATE _POSIX_C_SOURCE=200809L ${agentchat_wide_types})
  target_compile_options(agentchat_${name}_objects PRIVATE ${agentchat_warnings})
  target_link_libraries(agentchat_${name}_objects PRIVATE ${arg_LINKS})
  foreach(kind IN ITEMS shared static)
    if(NOT TARGET agentchat_${kind})
      continue()
    endif()
    set(library agentchat_${name}_${kind})
    string(TOUPPER ${kind} type)
    add_library(${library} ${type} $<TARGET_OBJECTS:agentchat_${name}_objects>)
    add_library(agentchat::${name}_${kind} ALIAS ${library})
    set_target_properties(${library} PROPERTIES OUTPUT_NAME agentchat-${name} EXPORT_NAME ${name}_${kind})
    target_link_libraries(${library} PUBLIC agentchat_${kind} PRIVATE ${arg_LINKS})
    foreach(below IN LISTS arg_ABOVE)
      target_link_libraries(${library} PRIVATE agentchat_${below}_${kind})
    endforeach()
  endforeach()
  if(TARGET agentchat_${name}_shared)
    agentchat_abi(agentchat_${name}_shared)
    agentchat_find_libraries_from(agentchat_${name}_shared ${CMAKE_INSTALL_LIBDIR})
  endif()
  add_library(agentchat::${name} ALIAS agentchat_${name}_${default_kind})
  if(NOT PROJECT_IS_TOP_LEVEL AND NOT AGENTCHAT_INSTALL) # built when something links it
    foreach(target IN ITEMS agentchat_${name}_objects agentchat_${name}_shared agentchat_${name}_static)
      if(TARGET ${target})
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
      endif()
    endforeach()
  endif()
endfunction()

set(agentchat_parts "")
set(agentchat_parts_links "")

# agentchat_optional_part(name directory MODULE version what): a part whose sources need a module of pkg-config.
macro(agentchat_optional_part name directory module version what)
  string(TOUPPER ${name} option)
  string(TOUPPER ${module} prefix)
  if(AGENTCHAT_${option})
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module}>=${version})
    if(${prefix}_FOUND)
      list(APPEND agentchat_parts ${name})
      list(APPEND agentchat_parts_links PkgConfig::${prefix})
      agentchat_part(${name} LINKS PkgConfig::${prefix})
      add_subdirectory(${directory})
    elseif(NOT AGENTCHAT_${option} STREQUAL "AUTO")
      message(FATAL_ERROR "pkg-config does not find ${module} ${version} or newer, which ${what} need; "
                          "-DAGENTCHAT_${option}=OFF builds without them")
    elseif(PROJECT_IS_TOP_LEVEL)
      message(WARNING "pkg-config does not find ${module} ${version} or newer: ${what} are left out "
                      "(AGENTCHAT_${option}=OFF leaves them out on purpose)")
    endif()
  endif()
endmacro()

agentchat_optional_part(view src/view libcmark 0.30 "web pages of chats")
agentchat_optional_part(sqlite src/store/sqlite sqlite3 3.40 "stores in files and in memory")
agentchat_optional_part(postgres src/store/postgres libpq 15 "stores on PostgreSQL servers")
set(agentchat_backends "${agentchat_parts}")
list(REMOVE_ITEM agentchat_backends view)
agentchat_part(store ABOVE ${agentchat_backends})
add_subdirectory(src/store/open)
foreach(backend IN LISTS agentchat_backends)
  string(TOUPPER ${backend} define)
  target_compile_definitions(agentchat_store_objects PRIVATE AGENTCHAT_WITH_${define})
endforeach()
list(APPEND agentchat_parts store)
list(JOIN agentchat_parts " " built)
message(STATUS "Libraries above agentchat: ${built}")

if(NOT TARGET agentchat_view_objects AND (AGENTCHAT_BUILD_CLI OR AGENTCHAT_BUILD_TESTS))
  message(FATAL_ERROR "The command line tool and the tests need the web pages of chats, and those libcmark 0.30 or "
                      "newer; -DAGENTCHAT_BUILD_CLI=OFF -DAGENTCHAT_BUILD_TESTS=OFF builds without them")
endif()
