# find_package(mo) and pkg-config for programs that embed the converter, and the SDK for plugins.
include(CMakePackageConfigHelpers)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/mo")
get_property(libraries GLOBAL PROPERTY MO_LIBRARIES)
install(TARGETS ${libraries} EXPORT moTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/mo")
install(EXPORT moTargets NAMESPACE mo:: DESTINATION "${package}")
foreach(folder core ops)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mo/${folder}" FILES_MATCHING PATTERN "*.hpp")
endforeach()
foreach(header driver/convert driver/options driver/version transformations/catalogue ir_emitter/emitter frontends/ir/reader)
  get_filename_component(folder "${header}" DIRECTORY)
  install(FILES "${PROJECT_SOURCE_DIR}/${header}.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mo/${folder}")
endforeach()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/mo-config.cmake.in" "${PROJECT_BINARY_DIR}/mo-config.cmake" INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/mo-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/mo-config.cmake" "${PROJECT_BINARY_DIR}/mo-config-version.cmake" DESTINATION "${package}")
# Wherever the package is moved to, mo.pc finds the rest from its own folder.
file(RELATIVE_PATH MO_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" MO_PC_PREFIX "${MO_PC_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/mo.pc.in" "${PROJECT_BINARY_DIR}/mo.pc" @ONLY)
configure_file("${PROJECT_SOURCE_DIR}/cmake/libmo.pc.in" "${PROJECT_BINARY_DIR}/libmo.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/mo.pc" "${PROJECT_BINARY_DIR}/libmo.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# Conversions while building, and libmo, which needs nothing of the above.
install(FILES "${PROJECT_SOURCE_DIR}/cmake/mo_convert_model.cmake" DESTINATION "${package}")
install(EXPORT moCTargets NAMESPACE mo:: DESTINATION "${package}")

# The SDK: <mo/plugin.hpp> and mo_add_plugin.
install(TARGETS mo_sdk EXPORT moSdkTargets)
install(EXPORT moSdkTargets NAMESPACE mo:: DESTINATION "${package}")
install(FILES "${PROJECT_SOURCE_DIR}/cmake/mo_add_plugin.cmake" DESTINATION "${package}")
install(FILES "${PROJECT_SOURCE_DIR}/plugins/sdk/plugin.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mo")
get_property(sdk_others GLOBAL PROPERTY MO_SDK_HEADERS)
foreach(header IN LISTS sdk_others)
  get_filename_component(folder "${header}" DIRECTORY)
  install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mo/${folder}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/graph_transforms/engine/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mo/graph_transforms/engine"
        FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/plugins/sdk/abi.hpp" "${PROJECT_BINARY_DIR}/sdk/plugins/sdk/version.hpp" "${PROJECT_BINARY_DIR}/sdk/plugins/sdk/ops.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mo/plugins/sdk")

# The configurations that are part of the program, to be looked at and copied.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/extensions/configs/" DESTINATION "${CMAKE_INSTALL_DATADIR}/mo/configs" FILES_MATCHING PATTERN "*.json")
