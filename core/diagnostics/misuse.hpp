#pragma once

#include <exception>
#include <string>

namespace mo {

/// Thrown where code that edits graphs (a pass, a replacer, a translator, a plugin's op) uses something that is not
/// there: a port, a node, an alias of a pattern. Handles chain (`node.in_port(1).get_source().node()`), so there is no
/// result to put an error into. The engine catches it where it calls that code and makes error MO-PASS-0030 of it, or
/// MO-PLUGIN-0031 when a plugin brought the code, which names the pass, its plugin and the node; it never reaches a
/// user of the API.
class Misuse : public std::exception {
 public:
  explicit Misuse(std::string text, std::string node = {}) : text_(std::move(text)), node_(std::move(node)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  /// Name of the node in question; empty when there is none.
  const std::string& node() const { return node_; }

 private:
  std::string text_;
  std::string node_;
};

}  // namespace mo
