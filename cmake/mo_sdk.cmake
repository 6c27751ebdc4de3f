# Makes the generated headers of the SDK; run by plugins/CMakeLists.txt whenever a header changes:
#   cmake -D SOURCE=… -D OUTPUT=… -D VERSION=… -D OTHERS=… -P mo_sdk.cmake
#   version.hpp   version of mo and a fingerprint of all headers that plugins see (part of the build tag, plugins/sdk/abi.hpp)
#   ops.hpp       includes every op
string(REPLACE "," ";" headers "${OTHERS}")
file(GLOB_RECURSE others RELATIVE "${SOURCE}" "${SOURCE}/core/*.hpp" "${SOURCE}/ops/*.hpp" "${SOURCE}/graph_transforms/engine/*.hpp" "${SOURCE}/plugins/sdk/*.hpp")
list(APPEND headers ${others})
list(SORT headers)
set(digests "")
foreach(header IN LISTS headers)
  file(SHA256 "${SOURCE}/${header}" digest)
  string(APPEND digests "${header} ${digest}\n")
endforeach()
string(SHA256 fingerprint "${digests}")
string(SUBSTRING "${fingerprint}" 0 16 MO_SDK_FINGERPRINT)
set(MO_SDK_VERSION "${VERSION}")
configure_file("${SOURCE}/plugins/sdk/version.hpp.in" "${OUTPUT}/version.hpp" @ONLY)

file(GLOB ops RELATIVE "${SOURCE}" "${SOURCE}/ops/*.hpp")
list(REMOVE_ITEM ops ops/register_all.hpp)
list(SORT ops)
list(TRANSFORM ops PREPEND "#include \"")
list(TRANSFORM ops APPEND "\"")
list(JOIN ops "\n" includes)
file(CONFIGURE OUTPUT "${OUTPUT}/ops.hpp" CONTENT "#pragma once

// Every op of mo. Made by cmake/mo_sdk.cmake.
${includes}
" @ONLY)
