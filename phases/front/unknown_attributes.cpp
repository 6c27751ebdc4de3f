#include "phases/front/unknown_attributes.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "core/support/log.hpp"
#include "core/support/shell.hpp"
#include "core/text/attribute_text.hpp"

namespace mo::phases {
namespace {

/// The value if it is short: it helps users to decide whether the attribute matters.
std::string short_value(const AttributeValue& value) {
  constexpr std::size_t kLongest = 40;
  if (value.holds<Tensor>() || value.holds<Body>()) return {};
  std::string text = attribute_text(value);
  return text.size() <= kLongest ? text : std::string();
}

}  // namespace

bool IgnoredAttributes::contains(std::string_view op, std::string_view attribute) {
  const auto entry = std::find(entries_.begin(), entries_.end(), fmt::format("{}.{}", op, attribute));
  if (entry == entries_.end()) return false;
  used_.insert(*entry);
  return true;
}

std::vector<Diagnostic> IgnoredAttributes::warnings_of_unused() const {
  std::vector<Diagnostic> warnings;
  for (const std::string& entry : entries_)
    if (!used_.contains(entry))
      warnings.push_back(
          warning("MO-CLI-0034",
                  "--ignore_attribute {} has no effect: no node has such an attribute that is unknown to mo", entry)
              .hint("remove it from the command line, or write OP.NAME as error MO-FRONT-0005 does"));
  return warnings;
}

void UnknownAttributes::add(const Node& node, std::string_view op, std::string_view attribute) {
  Group& group = groups_[{std::string(op), std::string(attribute)}];
  if (!group.known_nodes.emplace(node.name()).second) return;
  if (group.nodes.empty()) {
    group.place = node.describe(Diagnostic());
    group.value = short_value(node.attribute(attribute));
  }
  group.nodes.emplace_back(node.name());
}

void UnknownAttributes::add_unread(const FrameworkNode& view, std::string_view op, IgnoredAttributes& ignored) {
  for (const std::string& attribute : unknown_attributes(view, op, ignored)) add(view.node(), op, attribute);
}

std::vector<Diagnostic> UnknownAttributes::diagnostics() const {
  std::vector<Diagnostic> found;
  for (const auto& [key, group] : groups_) {
    const auto& [op, attribute] = key;
    Diagnostic d =
        error("MO-FRONT-0005", "attribute {}{} of op {} is not known and may change the result: {}", attribute,
              group.value.empty() ? "" : fmt::format(" ({})", group.value), op, listed_nodes(group.nodes))
            .hint("convert as if the attribute were absent: --ignore_attribute {}",
                  shell_word(fmt::format("{}.{}", op, attribute)));
    d.node = group.place.node;
    d.framework = group.place.framework;
    found.push_back(std::move(d));
  }
  return found;
}

std::vector<std::string> unknown_attributes(const FrameworkNode& view, std::string_view op,
                                            IgnoredAttributes& ignored) {
  std::vector<std::string> unknown = view.unread_attributes();
  std::erase_if(unknown, [&](const std::string& name) { return ignored.contains(op, name); });
  if (log::enabled(log::Level::debug))
    for (const auto& [name, reason] : view.ignored())
      if (view.node().has_attr(name)) log::debug("{} {}: attribute {} is ignored: {}", op, view.name(), name, reason);
  return unknown;
}

std::string listed_nodes(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 20;
  const auto shown = std::span(names).first(std::min(names.size(), kMostNames));
  return fmt::format("{} node{}: '{}'{}", names.size(), names.size() == 1 ? "" : "s", fmt::join(shown, "', '"),
                     names.size() > kMostNames ? fmt::format(" and {} more", names.size() - kMostNames) : "");
}

}  // namespace mo::phases
