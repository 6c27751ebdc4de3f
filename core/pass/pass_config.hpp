#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/pass/pass.hpp"

namespace mo {

/// Which passes run, and for which nodes. Passes are addressed by name.
class PassConfig {
 public:
  void enable(std::string name) { disabled_.erase(name), enabled_.insert(std::move(name)); }
  void disable(std::string name) { enabled_.erase(name), disabled_.insert(std::move(name)); }
  /// Only these passes run (the steps of phases extraction, inference and finish run anyway).
  void only(std::vector<std::string> names) { only_.insert(names.begin(), names.end()); }
  bool runs(const Pass& pass) const;
  /// Of a transformation inside a pipeline: one that was enabled by name runs where it is off by default.
  bool runs(std::string_view name, bool by_default) const;
  /// Of a pipeline or group: `only` chooses among what is inside of it.
  bool enters(std::string_view name, bool by_default) const;

  /// No rule of a pass replaces the nodes for which its callback says true. `pass`: a pass, or one of its rules, or ""
  /// for all that have no callback of their own. nGraph's transformation_callback; the engine asks it for every rule
  /// that matched, and passes that are functions ask PassContext::skips where a single node makes sense to them
  /// (docs/library.md says which).
  void set_callback(std::string pass, std::function<bool(const Node&)> callback) {
    callbacks_[std::move(pass)] = std::move(callback);
  }
  bool leaves_alone(std::string_view pass, const Node& node) const { return leaves_alone({pass}, node); }
  /// The first of `names` that has a callback decides, then the callback for all.
  bool leaves_alone(std::initializer_list<std::string_view> names, const Node& node) const;

  /// These passes tell what each of their rules did at each node, and why not.
  void explain(std::vector<std::string> names) { explained_.insert(names.begin(), names.end()); }
  bool explains(const Pass& pass) const { return explained_.contains(pass.name); }

  /// All names that enable, disable, only and explain mention; who runs passes checks that they exist.
  std::set<std::string> mentioned() const;

 private:
  std::set<std::string> enabled_;
  std::set<std::string> disabled_;
  std::set<std::string> only_;
  std::set<std::string> explained_;
  std::map<std::string, std::function<bool(const Node&)>, std::less<>> callbacks_;
};

}  // namespace mo
