#pragma once

#include <string>
#include <string_view>

#include "core/rewrite.hpp"

namespace mo::transformations {

struct MakeStatefulSettings {
  std::string param_res_names;  ///< "{'input':'output','input2':'output2'}", as it is written for Python
  static constexpr auto attributes = std::tuple{attr("param_res_names", &MakeStatefulSettings::param_res_names)};
};

/// Each Parameter with its Result becomes a variable that begins with zeros. `names` are those pairs as
/// MakeStatefulSettings has them; pairs that are variables already stay. Says whether something changed. Errors:
/// MO-CONFIG-0050 (no list of pairs), MO-CONFIG-0051 (no such input or output, or one without a fixed size).
Expected<bool> make_stateful(Graph& graph, std::string_view names);

}  // namespace mo::transformations
