#include "driver/outlines/outlines.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "core/op/runtimes.hpp"
#include "driver/outlines/needed_ops.hpp"
#include "transformations/catalogue.hpp"

namespace mo {
namespace {

/// A pass of a file that is called when the pass is needed.
class Deferred {
 public:
  Deferred(void (*add)(PassRegistry&), std::size_t index) : add_(add), index_(index) {}

  const Pass& pass() {
    if (!pass_) {
      PassRegistry registry;
      add_(registry);
      pass_ = std::make_unique<const Pass>(std::move(registry.take()[index_]));
    }
    return *pass_;
  }

 private:
  void (*add_)(PassRegistry&);
  std::size_t index_;  ///< among the passes of the file
  std::unique_ptr<const Pass> pass_;
};

std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  if (list.empty()) return names;
  names.reserve(static_cast<std::size_t>(std::count(list.begin(), list.end(), ',')) + 1);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

/// Faults of which nothing is known but the last release that has them.
class Faults {
 public:
  std::shared_ptr<const RuntimeFault> until(std::string_view last) {
    if (last.empty()) return {};
    std::shared_ptr<const RuntimeFault>& fault = known_[last];
    if (!fault) fault = std::make_shared<const RuntimeFault>(RuntimeFault{.last = std::string(last)});
    return fault;
  }

 private:
  std::map<std::string_view, std::shared_ptr<const RuntimeFault>> known_;
};

/// An outline with its fields.
class Outline {
 public:
  Outline(const PassOutline& outline, const char* text) : outline_(outline) {
    for (std::size_t i = 0; i < fields_.size(); ++i, text += fields_[i - 1].size())
      fields_[i] = {text, outline.sizes[i]};
  }

  bool has(PassOutline::Flag flag) const { return (outline_.flags & flag) != 0; }
  std::string_view operator[](PassOutline::Field field) const { return fields_[field]; }

  /// Whether the pass avoids a fault that `release` does not have, and no other pass would miss it.
  bool is_without_use(std::string_view release) const {
    const std::string_view last = fields_[PassOutline::last_release];
    return has(PassOutline::last) && !last.empty() && !release.empty() && is_older(last, release);
  }

  Pass pass(std::shared_ptr<Deferred> deferred, Faults& faults) const {
    Pass pass;
    pass.name = fields_[PassOutline::name];
    pass.phase = static_cast<Phase>(outline_.phase);
    pass.enabled = has(PassOutline::enabled);
    pass.into_bodies = has(PassOutline::into_bodies);
    pass.by_rules = has(PassOutline::by_rules);
    pass.fault = faults.until(fields_[PassOutline::last_release]);
    pass.after = names_of(fields_[PassOutline::after]);
    pass.before = names_of(fields_[PassOutline::before]);
    pass.looks_for = names_of(fields_[PassOutline::looks_for]);
    if (const std::string_view needed = fields_[PassOutline::needed]; !needed.empty())
      pass.condition = [needed](const Graph& graph, const PassContext&) { return has_needed_ops(needed, graph); };
    pass.run = [deferred = std::move(deferred)](Graph& graph, PassContext& context) -> Expected<bool> {
      const Pass& whole = deferred->pass();
      if (whole.condition && !whole.condition(graph, context)) return false;
      return whole.run(graph, context);
    };
    return pass;
  }

 private:
  const PassOutline& outline_;
  std::array<std::string_view, PassOutline::fields> fields_;
};

}  // namespace

void register_outlined(PassRegistry& registry, std::string_view release) {
  Faults faults;
  const auto [passes, text] = pass_outlines();
  const char* at = text.data();
  auto next = passes.begin();
  std::size_t file = 0;
  for (const Part<PassRegistry>& part : transformations::register_all_parts()) {
    std::size_t index = 0;
    for (; next != passes.end() && next->file == file; ++next, ++index) {
      const Outline outline(*next, at);
      at = std::accumulate(next->sizes.begin(), next->sizes.end(), at + 1);
      if (!outline.is_without_use(release))
        registry.add(outline.pass(std::make_shared<Deferred>(part.add, index), faults));
    }
    if (index == 0 && !part.on_request) part.add(registry);
    ++file;
  }
}

}  // namespace mo
