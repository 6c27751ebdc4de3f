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

Error::Error(Diagnostic diagnostic) : items_(new std::vector<Diagnostic>) { items_->push_back(std::move(diagnostic)); }
Error::Error(std::vector<Diagnostic> items) : items_(new std::vector<Diagnostic>(std::move(items))) {
  MO_ASSERT(!items_->empty(), "an error needs a diagnostic");
}
Error::Error(const Error& other) : items_(other.items_ ? new std::vector<Diagnostic>(*other.items_) : nullptr) {}

std::vector<Diagnostic>& Error::items() {
  if (!items_) items_.reset(new std::vector<Diagnostic>);
  return *items_;
}

const std::vector<Diagnostic>& Error::none() {
  static const std::vector<Diagnostic> kNone;
  return kNone;
}

void Error::Delete::operator()(std::vector<Diagnostic>* items) const noexcept { delete items; }

Error Error::in_phase(std::string_view phase) && {
  for (Diagnostic& d : items())
    if (d.phase.empty()) d.phase = phase;
  return std::move(*this);
}

Error Error::at_node(std::string_view name, std::string_view op_type) && {
  for (Diagnostic& d : items())
    if (d.node.empty()) d.stamp_node(name, op_type);
  return std::move(*this);
}

Error Error::in_file(std::string_view where) && {
  for (Diagnostic& d : items())
    if (d.location.empty()) d.location = where;
  return std::move(*this);
}

}  // namespace mo
