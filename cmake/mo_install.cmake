# find_package(mo) and pkg-config for programs that embed the converter.
include(CMakePackageConfigHelpers)
get_property(libraries GLOBAL PROPERTY MO_LIBRARIES)
install(TARGETS ${libraries} EXPORT moTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/mo")
install(EXPORT moTargets NAMESPACE mo:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/mo")
foreach(folder core ops driver)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mo/${folder}" FILES_MATCHING PATTERN "*.hpp")
endforeach()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/mo-config.cmake.in" "${PROJECT_BINARY_DIR}/mo-config.cmake"
                              INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/mo")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/mo-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/mo-config.cmake" "${PROJECT_BINARY_DIR}/mo-config-version.cmake" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/mo")
configure_file("${PROJECT_SOURCE_DIR}/cmake/mo.pc.in" "${PROJECT_BINARY_DIR}/mo.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/mo.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
