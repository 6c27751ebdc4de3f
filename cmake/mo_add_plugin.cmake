#   mo_add_plugin(fancy_norm fancy_norm.cpp …)
# A plugin of mo: a module that leaves mo's symbols undefined and shows nothing but mo_plugin_describe, so that two plugins with classes of
# the same name stay apart.
function(mo_add_plugin target)
  add_library(${target} MODULE ${ARGN})
  target_link_libraries(${target} PRIVATE mo::sdk)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON CXX_EXTENSIONS OFF)
endfunction()
