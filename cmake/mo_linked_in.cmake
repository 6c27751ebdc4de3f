# Third-party libraries inside of a program: the loader of shared libraries would take more time than the conversion of a small model.
#   MO_LINK_IN        whether `mo` has them, where that can be done
#   mo_linked_in      what pkg-config says for Debian's static libraries, without libraries of the system; empty: one of them is not known
#   mo_linked_in_fmt  an object library: {fmt}, which Debian has only as a shared one
#   mo_lazy_descriptors  to be linked by what has protobuf inside: descriptions of messages are read when they are asked for
#   mo_link_in(TARGET)  the program has them; static libraries of the project that it links need not know
execute_process(COMMAND "${PKG_CONFIG_EXECUTABLE}" --static --libs absl_hash absl_inlined_vector protobuf re2 snappy libxxhash pugixml zlib
                OUTPUT_VARIABLE mo_linked_in OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE missing ERROR_QUIET)
if(missing)
  message(STATUS "pkg-config does not know all libraries: there will be no static program and no wheel")
  set(mo_linked_in "")
else()
  separate_arguments(mo_linked_in UNIX_COMMAND "${mo_linked_in}")
endif()
add_library(mo_linked_in_fmt OBJECT EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/cli/linked_in/fmt.cpp")
target_compile_features(mo_linked_in_fmt PRIVATE cxx_std_20)
add_library(mo_lazy_descriptors INTERFACE)
target_sources(mo_lazy_descriptors INTERFACE "${PROJECT_SOURCE_DIR}/cli/linked_in/descriptors.cpp")
target_link_options(mo_lazy_descriptors INTERFACE "LINKER:--wrap=_ZN6google8protobuf8internal20AddDescriptorsRunnerC1EPKNS1_15DescriptorTableE")

# Of another linker than lld, the order of the libraries would count.
set(can_link_in OFF)
if(mo_linked_in AND MO_LLD AND NOT MO_SANITIZE AND NOT MO_FUZZ)
  set(can_link_in ON)
endif()
option(MO_LINK_IN "Link third-party libraries into mo" ${can_link_in})

# Static libraries come first: what they define is not looked for in the shared ones behind them, which are then not needed. The C++ library stays a
# shared one: exceptions of plugins have to reach mo, and its std::terminate has to be theirs. So does zlib, which every system has and mends by itself
# (Debian's policy 4.13).
function(mo_link_in target)
  if(NOT MO_LINK_IN)
    return()
  endif()
  set(static ${mo_linked_in})
  list(FILTER static INCLUDE REGEX "^-l")
  list(REMOVE_ITEM static -latomic -lrt -lpthread -lm -lz)
  list(JOIN static " " static)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:mo_linked_in_fmt>)
  target_link_options(${target} PRIVATE LINKER:--as-needed "SHELL:-Wl,-Bstatic ${static} -Wl,-Bdynamic -lz" LINKER:--gc-sections)
endfunction()
#   mo_install_licences(FOLDER argument of install…)
# The licences of third-party libraries that are inside of programs, where this system keeps them.
function(mo_install_licences folder)
  foreach(library IN ITEMS libabsl-dev libboost1.*-dev libcli11-dev libeigen3-dev libfmt-dev libprotobuf-dev libpugixml-dev libre2-dev libsnappy-dev libspdlog-dev
                           libxxhash-dev nlohmann-json3-dev zlib1g-dev)
    file(GLOB licence "/usr/share/doc/${library}/copyright")
    if(licence)
      string(REGEX REPLACE "[0-9.]*\\*?-dev$" "" name "${library}")
      install(FILES ${licence} DESTINATION "${folder}" RENAME "${name}" ${ARGN})
    endif()
  endforeach()
endfunction()

#   mo_archives(OWN target…)
# The project's static libraries that the targets link, from the build's own graph: a list here would forget the next one. Also OWN_ARCHIVES, their paths:
# targets would bring the shared libraries that they are linked to elsewhere.
function(mo_archives result)
  set(found "")
  set(archives "")
  set(open ${ARGN})
  while(open)
    list(POP_FRONT open next)
    get_target_property(links ${next} LINK_LIBRARIES)
    foreach(link IN LISTS links)
      string(REGEX REPLACE "^\\$<(BUILD_INTERFACE|LINK_ONLY):(.*)>$" "\\2" link "${link}")
      if(NOT TARGET "${link}")
        continue()
      endif()
      get_target_property(aliased ${link} ALIASED_TARGET)
      if(aliased)
        set(link ${aliased})
      endif()
      get_target_property(type ${link} TYPE)
      get_target_property(imported ${link} IMPORTED)
      if(type STREQUAL STATIC_LIBRARY AND NOT imported AND NOT link IN_LIST found)
        list(APPEND found ${link})
        list(APPEND archives "$<TARGET_FILE:${link}>")
        list(APPEND open ${link})
      endif()
    endforeach()
  endwhile()
  set(${result} ${found} PARENT_SCOPE)
  set(${result}_ARCHIVES ${archives} PARENT_SCOPE)
endfunction()
