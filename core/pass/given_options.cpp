#include "core/pass/given_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/diagnostics/misuse.hpp"
#include "core/support/nearest.hpp"

namespace mo {

namespace {

const GivenOption* find(const Settings& settings, std::string_view name) {
  const auto& [options, known] = settings.get<GivenOptions>();
  if (!known.empty() && std::ranges::find(known, name) == known.end())
    throw Misuse(
        fmt::format("the option '{}' was asked for, and mo has none of that name: {}`mo --list-options` has all", name,
                    did_you_mean(name, {known.begin(), known.end()})));
  const auto found = std::ranges::find(options, name, &GivenOption::name);
  return found == options.end() ? nullptr : &*found;
}

}  // namespace

const std::string* given_option(const Settings& settings, std::string_view name) {
  const GivenOption* option = find(settings, name);
  return option ? &option->text : nullptr;
}

bool given_flag(const Settings& settings, std::string_view name) {
  const GivenOption* option = find(settings, name);
  return option && option->is_on();
}

}  // namespace mo
