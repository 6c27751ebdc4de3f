#   mo_convert_model(TARGET net MODEL net.onnx [OUTPUT net.xml] [OPTIONS --input_shape [1,3,224,224] …])
# Makes a target, part of ALL, that converts a model while building. It runs again when a file changes that the conversion read (the model, external data,
# checkpoints, configurations, plugins), its options, or mo; otherwise it does not.
#   TARGET    its name
#   MODEL     file, or folder of a SavedModel; relative to the current source folder
#   OUTPUT    the .xml, with the .bin beside it; relative to the current binary folder; default: the name of the model there
#   OPTIONS   words for mo (docs/cli.md); generator expressions are understood
# The target's properties MO_XML and MO_BIN are the paths of the IR: $<TARGET_PROPERTY:net,MO_XML>.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)  # paths in depfiles (CMP0116)
function(mo_convert_model)
  cmake_parse_arguments(PARSE_ARGV 0 M "" "TARGET;MODEL;OUTPUT" "OPTIONS")
  if(M_UNPARSED_ARGUMENTS OR NOT M_TARGET OR NOT M_MODEL)
    message(FATAL_ERROR "mo_convert_model(TARGET name MODEL path [OUTPUT path.xml] [OPTIONS word…]): ${M_UNPARSED_ARGUMENTS}")
  endif()
  get_filename_component(model "${M_MODEL}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT M_OUTPUT)
    get_filename_component(M_OUTPUT "${model}" NAME_WLE)
    string(APPEND M_OUTPUT ".xml")
  endif()
  get_filename_component(xml "${M_OUTPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  if(NOT xml MATCHES "\\.xml$")
    message(FATAL_ERROR "mo_convert_model: the OUTPUT ${M_OUTPUT} does not end in .xml")
  endif()
  string(REGEX REPLACE "\\.xml$" ".bin" bin "${xml}")
  get_filename_component(folder "${xml}" DIRECTORY)
  get_filename_component(name "${xml}" NAME_WLE)
  set(depfile "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${M_TARGET}.mo.d")
  set(input --input_model)
  if(IS_DIRECTORY "${model}")
    set(input --saved_model_dir)
  endif()
  add_custom_command(
    OUTPUT "${xml}" "${bin}"
    COMMAND mo::mo --silent "${input}" "${model}" --output_dir "${folder}" --model_name "${name}" --depfile "${depfile}" ${M_OPTIONS}
    DEPENDS mo::mo "${model}"
    DEPFILE "${depfile}"
    COMMENT "Converting ${M_MODEL}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target("${M_TARGET}" ALL DEPENDS "${xml}" "${bin}")
  set_target_properties("${M_TARGET}" PROPERTIES MO_XML "${xml}" MO_BIN "${bin}")
endfunction()
cmake_policy(POP)
