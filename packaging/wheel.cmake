# What a wheel holds beside the package mo_openvino (pyproject.toml): libmo in the package, the program among the scripts, its documents and the programs of
# engines below share/, which pip installs into the prefix.
set(documents "${build}/mo.1" "${build}/mo.bash" "${build}/_mo" "${build}/mo.fish")
add_custom_target(mo_wheel DEPENDS mo mo_c ${documents})
# Wheels have no links: one file.
set_target_properties(mo_c PROPERTIES VERSION 1)
install(TARGETS mo_c LIBRARY DESTINATION mo_openvino COMPONENT wheel NAMELINK_SKIP)
install(TARGETS mo RUNTIME DESTINATION "${SKBUILD_SCRIPTS_DIR}" COMPONENT wheel)
set(share "${SKBUILD_DATA_DIR}/share")
install(FILES "${build}/mo.1" DESTINATION "${share}/man/man1" COMPONENT wheel)
install(FILES "${build}/mo.bash" DESTINATION "${share}/bash-completion/completions" RENAME mo COMPONENT wheel)
install(FILES "${build}/_mo" DESTINATION "${share}/zsh/site-functions" COMPONENT wheel)
install(FILES "${build}/mo.fish" DESTINATION "${share}/fish/vendor_completions.d" COMPONENT wheel)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tools/verify/engines" DESTINATION "${share}/mo" COMPONENT wheel FILES_MATCHING PATTERN "*.py")
