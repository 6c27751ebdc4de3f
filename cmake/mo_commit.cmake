# Run by each build: writes the commit into OUTPUT when it is another one than before.
#   cmake -DSOURCE=… -DTEMPLATE=… -DOUTPUT=… [-DMO_COMMIT=…] -P mo_commit.cmake
if(NOT MO_COMMIT)
  find_program(git git)
  set(MO_COMMIT "")
  if(git)
    execute_process(COMMAND "${git}" -C "${SOURCE}" describe --always --abbrev=12 --exclude=* --dirty=+ OUTPUT_VARIABLE MO_COMMIT
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
if(NOT MO_COMMIT)
  set(MO_COMMIT "unknown")
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
