#include "driver/outlines/outlines.hpp"

#include <charconv>
#include <map>
#include <memory>

#include "core/op/runtimes.hpp"
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

/// Up to the next `end`, which is taken as well.
std::string_view next_field(std::string_view& text, char end) {
  const std::size_t size = std::min(text.find(end), text.size());
  const std::string_view field = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return field;
}

std::size_t number_of(std::string_view field) {
  std::size_t number = 0;
  std::from_chars(field.data(), field.data() + field.size(), number);
  return number;
}

std::vector<std::string> names_of(std::string_view field) {
  std::vector<std::string> names;
  while (!field.empty()) names.emplace_back(next_field(field, ','));
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

/// The pass of a line without the number of its file.
Pass outlined(std::string_view line, std::shared_ptr<Deferred> deferred, Faults& faults) {
  Pass pass;
  pass.name = next_field(line, '\t');
  pass.phase = static_cast<Phase>(number_of(next_field(line, '\t')));
  const std::string_view flags = next_field(line, '\t');
  pass.enabled = flags.find('e') != std::string_view::npos;
  pass.into_bodies = flags.find('b') != std::string_view::npos;
  pass.by_rules = flags.find('r') != std::string_view::npos;
  pass.fault = faults.until(next_field(line, '\t'));
  pass.after = names_of(next_field(line, '\t'));
  pass.before = names_of(next_field(line, '\t'));
  pass.looks_for = names_of(next_field(line, '\t'));
  pass.roots = names_of(next_field(line, '\t'));
  pass.run = [deferred = std::move(deferred)](Graph& graph, PassContext& context) -> Expected<bool> {
    const Pass& whole = deferred->pass();
    if (whole.condition && !whole.condition(graph, context)) return false;
    return whole.run(graph, context);
  };
  return pass;
}

/// Whether the pass of a line avoids a fault that `release` does not have, and no other pass would miss it.
bool is_without_use(std::string_view line, std::string_view release) {
  next_field(line, '\t');
  next_field(line, '\t');
  const bool is_last = next_field(line, '\t').find('l') != std::string_view::npos;
  const std::string_view last = next_field(line, '\t');
  return is_last && !last.empty() && !release.empty() && is_older(last, release);
}

}  // namespace

void register_outlined(PassRegistry& registry, std::string_view release) {
  Faults faults;
  std::string_view text = pass_outlines();
  std::size_t file = 0;
  for (const Part<PassRegistry>& part : transformations::register_all_parts()) {
    std::size_t index = 0;
    for (; !text.empty(); ++index) {
      std::string_view rest = text;
      if (number_of(next_field(rest, '\t')) != file) break;
      const std::string_view line = next_field(rest, '\n');
      text = rest;
      if (is_without_use(line, release)) continue;
      registry.add(outlined(line, std::make_shared<Deferred>(part.add, index), faults));
    }
    if (index == 0 && !part.on_request) part.add(registry);
    ++file;
  }
}

}  // namespace mo
