#include <mo/plugin.hpp>

/// A front replacer that a JSON configuration steers: which nodes it replaces, and by which numbers, stands in
/// clip.json.
namespace acme {

/// What a scope of the configuration matches -> Clamp(input 0), between the attributes "min" and "max" of the
/// configuration
mo::Pass clip() {
  return mo::config_replacement("AcmeClip").generate([](mo::SubgraphMatch& match, mo::Rewriter& rw) -> mo::Replacement {
    const auto input = match.input(0);
    if (!input) return input.error();
    const double low = match.custom_attribute<double>("min", 0);
    const double high = match.custom_attribute<double>("max", 6);
    if (!(low <= high))
      return mo::error("ACME-0004", "min {} is above max {}", low, high)
          .hint("correct the custom_attributes of {} in the configuration", match.id());
    return rw.create(mo::ops::Clamp{.min = low, .max = high}, *input);
  });
}

}  // namespace acme

MO_PLUGIN("acme-clip", "1.0.0", [](mo::Registry& registry) { registry.passes().add(acme::clip()); });
