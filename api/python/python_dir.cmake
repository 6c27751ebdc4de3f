# Run by the installation: sets mo_python_dir, the folder of Python packages below the prefix, unless MO_PYTHON_DIR has set it. It is the folder where
# python3 (of PATH, else of the system) looks for packages: lib/python3/dist-packages for the /usr of Debian, lib/python3.11/dist-packages for its
# /usr/local, lib/python3.11/site-packages for a virtual environment. Names of components are variables here (CMP0054): `python` must not be one.
if(mo_python_dir STREQUAL "")
  foreach(mo_python IN ITEMS python3 /usr/bin/python3)
    execute_process(COMMAND "${mo_python}" -c "import os, site, sys
prefix = os.path.realpath(sys.argv[1])
found = [os.path.realpath(folder) for folder in site.getsitepackages() + [site.getusersitepackages()]]
print(next((os.path.relpath(folder, prefix) for folder in found if folder.startswith(os.path.join(prefix, 'lib', ''))), ''), end='')"
      "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE mo_python_dir RESULT_VARIABLE mo_python_failed ERROR_QUIET)
    if(NOT mo_python_failed AND mo_python_dir)
      break()
    endif()
    set(mo_python_dir "")
  endforeach()
endif()
if(mo_python_dir STREQUAL "")
  set(mo_python_dir "lib/python3/dist-packages")
  message(STATUS "No python3 looks for packages below ${CMAKE_INSTALL_PREFIX}: PYTHONPATH=${CMAKE_INSTALL_PREFIX}/${mo_python_dir} shows it mo_openvino")
endif()
