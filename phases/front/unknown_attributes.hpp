#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/registry/framework_node.hpp"

namespace mo::phases {

/// The attributes that the user lets pass although mo does not know them, "OP.NAME" each (--ignore_attribute). OP is
/// the framework's operator, with its domain in ONNX unless that is the default one: "Resize.antialias",
/// "com.microsoft::Gelu.version". One conversion shares it, so that entries without use are known at the end.
class IgnoredAttributes {
 public:
  explicit IgnoredAttributes(std::vector<std::string> entries = {}) : entries_(std::move(entries)) {}

  /// Whether an entry names the attribute, which counts as a use of it.
  bool contains(std::string_view op, std::string_view attribute);
  /// Warning MO-CLI-0034 for each entry that named nothing so far.
  std::vector<Diagnostic> warnings_of_unused() const;

 private:
  std::vector<std::string> entries_;
  std::set<std::string, std::less<>> used_;
};

/// The attributes of framework nodes that nothing reads, by operator and attribute: an attribute may change what the
/// operator computes, so the conversion ends. All of them are collected first.
class UnknownAttributes {
 public:
  /// The same node may come again: a loop is inferred several times.
  void add(const Node& node, std::string_view op, std::string_view attribute);
  /// Those that the extractor or translator of `view`, which has run, did not ask for.
  void add_unread(const FrameworkNode& view, std::string_view op, IgnoredAttributes& ignored);
  bool empty() const { return groups_.empty(); }
  /// Error MO-FRONT-0005 for each pair of operator and attribute.
  std::vector<Diagnostic> diagnostics() const;

 private:
  struct Group {
    Diagnostic place;  ///< names the first node
    std::string value;
    std::vector<std::string> nodes;
    std::set<std::string, std::less<>> known_nodes;
  };
  std::map<std::pair<std::string, std::string>, Group> groups_;
};

/// The names of `view`'s attributes that its extractor or translator did not ask for and that the user does not ignore.
/// Tells the log why the others may be ignored.
std::vector<std::string> unknown_attributes(const FrameworkNode& view, std::string_view op, IgnoredAttributes& ignored);

/// "3 nodes: 'a', 'b', 'c'"; of many the first ones.
std::string listed_nodes(const std::vector<std::string>& names);

}  // namespace mo::phases
