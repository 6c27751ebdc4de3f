# What every target of this project shares. Targets only: no directory-wide flags.
add_library(mo_compile_options INTERFACE)
target_compile_features(mo_compile_options INTERFACE cxx_std_20)
target_compile_options(mo_compile_options INTERFACE -Wall -Wextra -Wno-missing-field-initializers $<$<BOOL:${MO_DEVELOPER}>:-Werror>)
# g++ 12 reports both for correct code of the standard library (strings, optional) when optimising.
target_compile_options(mo_compile_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
# A target that says MO_OPTIMIZATION wants another level than 2: the last one on the command line counts, so there is just this one place.
# Level 1 is what has no inner loops: of a wheel, which has to be small, size counts there.
option(MO_SMALL "Optimise for size what has no inner loops" OFF)
set(level "$<TARGET_PROPERTY:MO_OPTIMIZATION>")
set(small "$<AND:$<BOOL:${MO_SMALL}>,$<STREQUAL:${level},1>>")
target_compile_options(mo_compile_options INTERFACE "$<$<CONFIG:Release>:-O$<IF:${small},s,$<IF:$<STREQUAL:${level},>,2,${level}>>>")
unset(level)
unset(small)
# g++ collects its garbage from 128 MB on; a batch needs 300 to 1,000 MB in all, and collecting later takes a fifteenth of the time away.
target_compile_options(mo_compile_options INTERFACE "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=500000>")
# Strict floating point (no contraction): constants are folded to the same bytes on every machine and with both compilers.
target_compile_options(mo_compile_options INTERFACE -ffp-contract=off)
if(MO_SANITIZE)
  target_compile_options(mo_compile_options INTERFACE -fsanitize=${MO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(mo_compile_options INTERFACE -fsanitize=${MO_SANITIZE})
endif()
if(MO_FUZZ)
  # Every library counts its edges; only the targets of fuzz/ link libFuzzer's main. Optimised, as a run is worth the executions it makes, and
  # without the checks that AddressSanitizer makes as well, which cost most.
  target_compile_options(mo_compile_options INTERFACE -fsanitize=fuzzer-no-link,float-cast-overflow -fno-sanitize=null,alignment,object-size,vptr,function
                                                      -O1 -gline-tables-only)
endif()
# lld is the fastest linker. As a cross compiler, g++ finds only the linker that came with it.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld MO_LLD)
target_link_options(mo_compile_options INTERFACE $<$<BOOL:${MO_LLD}>:-fuse-ld=lld>)
# lld can put functions side by side that a conversion of a small model calls (mo_function_order): each is a section of its own.
target_compile_options(mo_compile_options INTERFACE $<$<AND:$<BOOL:${MO_LLD}>,$<CONFIG:Release>>:-ffunction-sections>)
function(mo_function_order target)
  if(MO_LLD)
    set(order "${PROJECT_SOURCE_DIR}/cli/function_order.txt")
    target_link_options(${target} PRIVATE "-Wl,--symbol-ordering-file=${order}" -Wl,--no-warn-symbol-ordering)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${order}")
  endif()
endfunction()

# Files are compiled in batches, which share the reading of headers: names in anonymous namespaces must differ within a folder. In batches of 16 a third of the
# time goes to headers; those of 64 need up to 1.1 GB of memory.
function(mo_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MO_UNITY} UNITY_BUILD_BATCH_SIZE 64)
endfunction()

#   mo_library(mo_core SOURCES a.cpp … PUBLIC dep … PRIVATE dep …)
# A static library of one folder. Headers are included from the root of the tree ("core/graph/graph.hpp") and installed under include/mo.
function(mo_library target)
  cmake_parse_arguments(L "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${target} STATIC ${L_SOURCES})
  string(REGEX REPLACE "^mo_" "" short ${target})
  add_library(mo::${short} ALIAS ${target})
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/mo>")
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${L_PUBLIC} PRIVATE $<BUILD_INTERFACE:mo_compile_options> ${L_PRIVATE})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${short})
  mo_unity(${target})
  set_property(GLOBAL APPEND PROPERTY MO_LIBRARIES ${target})
endfunction()

function(mo_executable target)
  cmake_parse_arguments(E "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${target} ${E_SOURCES})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE mo_compile_options ${E_LINK})
  mo_unity(${target})
endfunction()
