# SPDX-License-Identifier: Apache-2.0
# Finds libb64, which ships no metadata of its own. Gives the target LibB64::LibB64.
find_path(LibB64_INCLUDE_DIR NAMES b64/cencode.h)
find_library(LibB64_LIBRARY NAMES b64)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibB64 REQUIRED_VARS LibB64_LIBRARY LibB64_INCLUDE_DIR)
if(LibB64_FOUND AND NOT TARGET LibB64::LibB64)
  add_library(LibB64::LibB64 UNKNOWN IMPORTED)
  set_target_properties(LibB64::LibB64 PROPERTIES IMPORTED_LOCATION "${LibB64_LIBRARY}"
                                                  INTERFACE_INCLUDE_DIRECTORIES "${LibB64_INCLUDE_DIR}")
endif()
mark_as_advanced(LibB64_INCLUDE_DIR LibB64_LIBRARY)
