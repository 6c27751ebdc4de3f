#include "core/pass/given_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/diagnostics/misuse.hpp"
#include "core/support/nearest.hpp"

namespace mo {

const std::string* given_option(const Settings& settings, std::string_view name) {
  const auto& [options, known] = settings.get<GivenOptions>();
  if (!known.empty() && std::find(known.begin(), known.end(), name) == known.end())
    throw Misuse(
        fmt::format("the option '{}' was asked for, and mo has none of that name: {}`mo --list-options` has all", name,
                    did_you_mean(name, {known.begin(), known.end()})));
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const GivenOption& one) { return one.name == name; });
  return found == options.end() ? nullptr : &found->text;
}

}  // namespace mo
