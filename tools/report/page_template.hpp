#pragma once

#include <string_view>

namespace mo::tools {

/// The page without its data, made by the build from the files of tools/report/page.
struct PageTemplate {
  std::string_view head;  ///< up to where the data go
  std::string_view tail;
};
const PageTemplate& page_template();

}  // namespace mo::tools
