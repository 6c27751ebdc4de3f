# Whoever types `pip install .` learns which packages the build needs, all at once.
find_program(MO_DPKG_QUERY dpkg-query)
if(NOT MO_DPKG_QUERY)
  message(STATUS "scripts/install_dependencies.sh names the libraries that mo is built from, as Debian calls them")
  return()
endif()
execute_process(COMMAND "${PROJECT_SOURCE_DIR}/scripts/install_dependencies.sh" --wheel --check OUTPUT_VARIABLE missing OUTPUT_STRIP_TRAILING_WHITESPACE
                RESULT_VARIABLE answer)
if(NOT answer EQUAL 0)
  string(REPLACE "missing packages: " "" missing "${missing}")
  message(FATAL_ERROR "Packages that mo is built from are missing. As root:  apt-get install ${missing}")
endif()
