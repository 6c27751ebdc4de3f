# Makes page_template.cpp of the parts of the page: page.html with the styles and the scripts in it, in the order of their names.
#   FOLDER   where the parts are
#   OUTPUT   the file to write
function(read_all variable pattern)
  file(GLOB files "${FOLDER}/${pattern}")
  list(SORT files)
  set(all "")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    string(APPEND all "${text}")
  endforeach()
  set(${variable} "${all}" PARENT_SCOPE)
endfunction()

read_all(style "*.css")
read_all(script "*.js")
file(READ "${FOLDER}/page.html" page)
string(REPLACE "/* styles */" "${style}" page "${page}")
string(REPLACE "/* scripts */" "${script}" page "${page}")
set(mark "<!-- data -->")
string(FIND "${page}" "${mark}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "page.html has no place for the data")
endif()
string(LENGTH "${mark}" length)
math(EXPR behind "${place} + ${length}")
string(SUBSTRING "${page}" 0 ${place} head)
string(SUBSTRING "${page}" ${behind} -1 tail)
file(WRITE "${OUTPUT}" "// Generated from tools/report/page.
#include \"tools/report/page_template.hpp\"

namespace mo::tools {

const PageTemplate& page_template() {
  static constexpr PageTemplate kPage{R\"mo_page(${head})mo_page\", R\"mo_page(${tail})mo_page\"};
  return kPage;
}

}  // namespace mo::tools
")
