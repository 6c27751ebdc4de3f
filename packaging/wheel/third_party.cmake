# Third-party libraries inside of libmo. Debian's static libraries of protobuf and RE2 are not position-independent: their sources are built, once per build
# folder. They have to be of the release whose headers everything else was compiled with; where that is another one, the shared libraries are
# linked, and the wheel is for this machine's distribution only.
#   third_party          what libmo is linked with, its static libraries
#   third_party_targets  what has to be built before
include(ExternalProject)
set(third_party ${mo_linked_in})
list(REMOVE_ITEM third_party -pthread -lpthread -lm)
set(third_party_targets "")

#   mo_third_party(NAME library IS_SAME TRUE|FALSE URL address SHA256 hash OPTIONS -D… PATCH command…)
function(mo_third_party)
  cmake_parse_arguments(T "" "NAME;IS_SAME;URL;SHA256" "OPTIONS;PATCH" ${ARGN})
  list(REMOVE_ITEM third_party -l${T_NAME})
  if(NOT T_IS_SAME)
    message(STATUS "The release of ${T_NAME} has no position-independent static library here: wheels are for machines that have the same one")
    set(third_party ${third_party} -Wl,-Bdynamic -l${T_NAME} -Wl,-Bstatic PARENT_SCOPE)
    return()
  endif()
  string(TOUPPER "MO_${T_NAME}_SOURCE" source)
  set(${source} "${T_URL}" CACHE STRING "Source of ${T_NAME} for wheels: an archive, or its address")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${T_NAME}")
  set(archive "${folder}/install/lib/lib${T_NAME}.a")
  ExternalProject_Add(mo_wheel_${T_NAME}
    URL "${${source}}"
    URL_HASH SHA256=${T_SHA256}
    PREFIX "${folder}"
    INSTALL_DIR "${folder}/install"
    PATCH_COMMAND ${T_PATCH}
    EXCLUDE_FROM_ALL ON
    CMAKE_ARGS -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_CXX_STANDARD=17 -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF
               -DCMAKE_INSTALL_PREFIX=<INSTALL_DIR> -DCMAKE_INSTALL_LIBDIR=lib "-DCMAKE_CXX_FLAGS=-ffunction-sections -fdata-sections -w" ${T_OPTIONS}
    CMAKE_CACHE_ARGS "-DCMAKE_CXX_COMPILER_LAUNCHER:STRING=${CMAKE_CXX_COMPILER_LAUNCHER}" "-DCMAKE_CXX_COMPILER:FILEPATH=${CMAKE_CXX_COMPILER}"
    BUILD_BYPRODUCTS "${archive}")
  set(third_party ${third_party} "${archive}" PARENT_SCOPE)
  set(third_party_targets ${third_party_targets} mo_wheel_${T_NAME} PARENT_SCOPE)
endfunction()

set(is_same FALSE)
if(Protobuf_VERSION VERSION_EQUAL 3.21.12)
  set(is_same TRUE)
endif()
mo_third_party(NAME protobuf IS_SAME ${is_same}
  URL "https://deb.debian.org/debian/pool/main/p/protobuf/protobuf_3.21.12.orig.tar.gz"
  SHA256 930c2c3b5ecc6c9c12615cf5ad93f1cd6e12d0aba862b572e076259970ac3a53
  OPTIONS -Dprotobuf_BUILD_TESTS=OFF -Dprotobuf_BUILD_PROTOC_BINARIES=OFF -Dprotobuf_BUILD_SHARED_LIBS=OFF)

# RE2 says no version: its binary interface is that of libre2.so.9 from 2020 to 2022.
find_library(MO_RE2_9 NAMES libre2.so.9)
mark_as_advanced(MO_RE2_9)
set(is_same FALSE)
if(MO_RE2_9)
  set(is_same TRUE)
endif()
mo_third_party(NAME re2 IS_SAME ${is_same}
  URL "https://registry.npmjs.org/re2/-/re2-1.17.7.tgz"  # RE2 of 2022-06-01; Debian's source lacks generated files
  SHA256 eb496712b449088a26eca12c1a189eaed0ab4bbf2ae87641f2ac9c34fc7093a8
  PATCH "${CMAKE_COMMAND}" -E copy "${CMAKE_CURRENT_SOURCE_DIR}/re2/CMakeLists.txt" <SOURCE_DIR>)
