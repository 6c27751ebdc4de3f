#include "core/pass/settings.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/support/nearest.hpp"

namespace mo {

Expected<void> set_by_name(const std::vector<AttributeInfo>& declared, void* record, const AttributeMap& given) {
  std::vector<std::string> names;
  for (const AttributeInfo& info : declared) names.emplace_back(info.name);
  std::vector<Diagnostic> wrong;
  for (const AttributeMap::Item& item : given) {
    const auto info =
        std::find_if(declared.begin(), declared.end(), [&](const AttributeInfo& one) { return one.name == item.name; });
    if (info == declared.end())
      wrong.push_back(error("MO-PASS-0022", "there is no setting {}", item.name)
                          .hint("{}", names.empty() ? "it has no settings"
                                                    : fmt::format("{}there are: {}", did_you_mean(item.name, names),
                                                                  fmt::join(names, ", "))));
    else if (const auto set = info->set(record, item.value); !set)
      wrong.push_back(error("MO-PASS-0023", "setting {}: {}", item.name, set.error().first().message)
                          .hint("give a value of that kind"));
  }
  if (!wrong.empty()) return Error(std::move(wrong));
  return {};
}

}  // namespace mo
