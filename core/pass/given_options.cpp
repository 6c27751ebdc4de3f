#include "core/pass/given_options.hpp"

#include <algorithm>

namespace mo {

namespace {

const GivenOption* find(const Settings& settings, std::string_view name) {
  const std::vector<GivenOption>& options = settings.get<GivenOptions>().options;
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
