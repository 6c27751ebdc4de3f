# cpack -G DEB: model-optimizer (programs, libmo, documentation), model-optimizer-dev (libraries and headers for programs that embed it, SDK of plugins)
# and python3-mo.
set(CPACK_PACKAGE_NAME "model-optimizer")
set(CPACK_PACKAGE_VENDOR "mo")
set(CPACK_PACKAGE_CONTACT "the authors of mo <mo@mo.invalid>")  # Debian requires an address; mail to this one goes nowhere, by RFC 2606
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own: the first line of its description
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/debian/finish.cmake")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME "model-optimizer")
# Programs that link libmo depend on this release or a later one (docs/versions.md); the cache of the loader is brought up to date.
file(CONFIGURE OUTPUT debian/shlibs CONTENT "libmo 1 model-optimizer (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${CMAKE_CURRENT_BINARY_DIR}/debian/shlibs;${CMAKE_CURRENT_LIST_DIR}/debian/triggers")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION
    "converter of trained models to OpenVINO IR
mo reads models of TensorFlow, ONNX and Caffe and writes OpenVINO Intermediate
Representation (IR) or ONNX. It needs neither Python nor a framework.
Other subcommands inspect, run, verify, compare, draw and transform models.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "bash-completion, libgvc6")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME "model-optimizer-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "converter of trained models to OpenVINO IR - development files
Libraries and headers for programs that convert models themselves, in C and
C++, and the SDK of plugins with operations and passes. The package has files
for CMake and pkg-config.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libfmt-dev, libeigen3-dev, libspdlog-dev, libprotobuf-dev, libpugixml-dev, libre2-dev, libsnappy-dev, libxxhash-dev, libabsl-dev, zlib1g-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime)
if(MO_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME "python3-mo")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION
      "converter of trained models to OpenVINO IR - Python 3 package
The package mo_openvino, also as mo, converts, inspects, verifies and runs
models: files, and objects of PyTorch, Keras and TensorFlow. Only running them
needs numpy.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${CMAKE_CURRENT_LIST_DIR}/debian/postinst;${CMAKE_CURRENT_LIST_DIR}/debian/prerm")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3:any (>= 3.8)")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy")
  set(CPACK_COMPONENT_PYTHON_DEPENDS runtime)
endif()
include(CPack)
