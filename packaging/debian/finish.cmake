# Run by cpack before it packs: adds what Debian expects of every package and an installation does not need, a changelog, a copyright file in Debian's form,
# the reasons for what lintian reports, and compresses man pages.
if(CPACK_DEBIAN_PACKAGE_ARCHITECTURE)
  set(ENV{DEB_HOST_ARCH} "${CPACK_DEBIAN_PACKAGE_ARCHITECTURE}")  # for dpkg-shlibdeps, which cpack calls
endif()
find_program(gzip gzip REQUIRED)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" upper)
  set(package "${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
  set(share "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share")
  set(doc "${share}/doc/${package}")
  configure_file("${CMAKE_CURRENT_LIST_DIR}/copyright" "${doc}/copyright" COPYONLY)
  file(WRITE "${doc}/changelog" "model-optimizer (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * /usr/share/doc/model-optimizer/CHANGELOG.md has the changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  file(GLOB pages "${share}/man/man1/*.1")
  execute_process(COMMAND "${gzip}" -9nf "${doc}/changelog" ${pages} COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/${package}.lintian-overrides")
    configure_file("${CMAKE_CURRENT_LIST_DIR}/${package}.lintian-overrides" "${share}/lintian/overrides/${package}" COPYONLY)
  endif()
endforeach()
