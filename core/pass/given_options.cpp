#include "core/pass/given_options.hpp"

#include <algorithm>

namespace mo {

const std::string* given_option(const Settings& settings, std::string_view name) {
  const std::vector<GivenOption>& options = settings.get<GivenOptions>().options;
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const GivenOption& one) { return one.name == name; });
  return found == options.end() ? nullptr : &found->text;
}

}  // namespace mo
