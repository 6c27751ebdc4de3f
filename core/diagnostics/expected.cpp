#include "core/diagnostics/expected.hpp"

#include <cstdlib>

#include "core/diagnostics/misuse.hpp"
#include "core/diagnostics/plugin_code.hpp"

namespace mo {

void no_value_in(const Error& error) {
  // none: the value was moved out together with its Expected
  const Diagnostic* const why = error.items().empty() ? nullptr : &error.first();
  if (runs_plugin_code())
    throw Misuse(fmt::format("the value of a failed Expected was used: {}", why ? why->message : "it was moved away"),
                 why ? why->node : "");
  MO_ASSERT(false, "value of a failed Expected");
  std::abort();
}

Error::Error() = default;
Error::Error(Diagnostic diagnostic) { items_.push_back(std::move(diagnostic)); }
Error::Error(std::vector<Diagnostic> items) : items_(std::move(items)) {
  MO_ASSERT(!items_.empty(), "an error needs a diagnostic");
}
Error::Error(const Error& other) = default;
Error::Error(Error&& other) noexcept = default;
Error& Error::operator=(const Error& other) = default;
Error& Error::operator=(Error&& other) noexcept = default;
Error::~Error() = default;

Error Error::in_phase(std::string_view phase) && {
  for (Diagnostic& d : items_)
    if (d.phase.empty()) d.phase = phase;
  return std::move(*this);
}

Error Error::at_node(std::string_view name, std::string_view op_type) && {
  for (Diagnostic& d : items_)
    if (d.node.empty()) d.stamp_node(name, op_type);
  return std::move(*this);
}

Error Error::in_file(std::string_view where) && {
  for (Diagnostic& d : items_)
    if (d.location.empty()) d.location = where;
  return std::move(*this);
}

}  // namespace mo
