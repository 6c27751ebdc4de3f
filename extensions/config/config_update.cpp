#include "extensions/config/config_update.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/graph/bodies.hpp"
#include "extensions/config/descriptor_reader.hpp"
#include "extensions/config/matching.hpp"
#include "extensions/config/name_pattern.hpp"

namespace mo::config {
namespace {

/// A regular expression that, appended to the scope, matches only this node. Names of an instance begin with what the
/// scope matches, up to a '/'.
Expected<std::string> pattern_of(const Node& node, const std::string& scope, const std::vector<Node>& matched) {
  MO_ASSIGN(const NamePattern compiled, NamePattern::compile(scope));
  const std::string_view name = node.name();
  std::size_t end = name.find('/');
  while (end != std::string_view::npos && !compiled.matches(name.substr(0, end + 1))) end = name.find('/', end + 1);
  if (end == std::string_view::npos)
    return node.error("MO-CONFIG-0031", "no part of the name '{}' that ends at a / fits the scope {}", name, scope)
        .hint("a scope is a prefix of whole name parts: \".*InceptionV4/Mixed_5b/\"");
  const std::string pattern = NamePattern::quoted(name.substr(end + 1)) + "$";
  MO_ASSIGN(const std::vector<Node> found, nodes_that_match(matched, pattern_in_scope(scope, pattern)));
  if (found.size() == 1) return pattern;
  return node
      .error("MO-CONFIG-0031", "the pattern {} in scope {} fits {} nodes instead of one", pattern, scope, found.size())
      .hint("make the scope match one place of the model only");
}

JsonValue port_object(const PatternPort& place) {
  JsonValue made = JsonValue::object();
  made.set("node", JsonValue::of(place.node));
  made.set("port", JsonValue::of(place.port));
  return made;
}

bool before(const PatternPort& a, const PatternPort& b) {
  return std::pair(a.node, a.port) < std::pair(b.node, b.port);
}

Expected<void> update_scope(JsonValue& object, const Descriptor& descriptor, const SubgraphMatch& match) {
  if (descriptor.has_inputs && descriptor.has_outputs) return {};
  const Boundary boundary = boundary_of(match.matched_nodes());
  const auto pattern = [&](const NodePort& place) -> Expected<PatternPort> {
    MO_ASSIGN(std::string text, pattern_of(place.node, match.scope(), match.matched_nodes()));
    return PatternPort{std::move(text), static_cast<std::int64_t>(place.port)};
  };
  if (!descriptor.has_inputs) {
    std::vector<std::vector<PatternPort>> inputs;
    for (const std::vector<NodePort>& places : boundary.inputs) {
      std::vector<PatternPort>& input = inputs.emplace_back();
      for (const NodePort& place : places) {
        MO_ASSIGN(PatternPort made, pattern(place));
        input.push_back(std::move(made));
      }
      std::sort(input.begin(), input.end(), before);
    }
    std::sort(inputs.begin(), inputs.end(), [](const auto& a, const auto& b) {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), before);
    });
    JsonValue list = JsonValue::array({});
    for (const std::vector<PatternPort>& input : inputs) {
      JsonValue places = JsonValue::array({});
      for (const PatternPort& place : input) places.items.push_back(port_object(place));
      list.items.push_back(std::move(places));
    }
    object.set("inputs", std::move(list));
  }
  if (!descriptor.has_outputs) {
    std::vector<PatternPort> outputs;
    for (const NodePort& place : boundary.outputs) {
      MO_ASSIGN(PatternPort made, pattern(place));
      outputs.push_back(std::move(made));
    }
    std::sort(outputs.begin(), outputs.end(), before);
    JsonValue list = JsonValue::array({});
    for (const PatternPort& place : outputs) list.items.push_back(port_object(place));
    object.set("outputs", std::move(list));
  }
  return {};
}

void add_default(JsonValue& object, std::string_view key, JsonValue value) {
  if (!object.find(key)) object.set(key, std::move(value));
}

/// The first instance serves as the model for all; in the main graph, or in the first body that has it.
Expected<std::optional<SubgraphMatch>> first_match(Descriptor descriptor, Graph& graph,
                                                   std::vector<std::string>& misses) {
  if (descriptor.scopes.size() > 1) descriptor.scopes.resize(1);
  for (Graph* one : with_bodies(graph)) {
    Descriptor plain = descriptor;
    plain.inputs.clear();  // they may be what is to be made anew
    plain.outputs.clear();
    MO_ASSIGN(FoundMatches found, find_matches(plain, *one));
    if (!found.matches.empty()) return std::optional(std::move(found.matches.front()));
    if (one == &graph) misses = std::move(found.misses);
  }
  return std::optional<SubgraphMatch>();
}

Expected<void> update_one(JsonValue& object, const Descriptor& descriptor, Graph& graph, DiagnosticSink& sink) {
  if (descriptor.match_kind == MatchKind::general) {
    sink.report(warning("MO-CONFIG-0030", "\"{}\": a descriptor of kind general has nothing to update",
                        descriptor.replacement_id)
                    .hint("only kinds scope and points have inputs and outputs")
                    .in_file(descriptor.location));
    return {};
  }
  std::vector<std::string> misses;
  MO_ASSIGN(const auto match, first_match(descriptor, graph, misses));
  if (!match) {
    Diagnostic missed = warning("MO-CONFIG-0026", "\"{}\": nothing matches", descriptor.replacement_id);
    missed.notes = std::move(misses);
    sink.report(std::move(missed)
                    .hint("is this the configuration for this model? Compare its names with those of the model")
                    .in_file(descriptor.location));
    return {};
  }
  add_default(object, "custom_attributes", JsonValue::object());
  if (descriptor.match_kind == MatchKind::scope) return update_scope(object, descriptor, *match);
  add_default(object, "include_inputs_to_sub_graph", JsonValue::of(true));
  add_default(object, "include_outputs_to_sub_graph", JsonValue::of(true));
  return {};
}

/// Removes the unfinished file unless all went well.
struct Unfinished {
  std::string path;
  ~Unfinished() {
    if (!path.empty()) ::unlink(path.c_str());
  }
};

Diagnostic unwritable(const std::string& file, std::string_view what) {
  return error("MO-CONFIG-0032", "the configuration \"{}\" cannot be written: {}: {}", file, what, std::strerror(errno))
      .hint("its folder and the file itself must be writable");
}

Expected<void> replace_file(const std::string& file, const std::string& text) {
  std::error_code failure;
  const std::filesystem::path real = std::filesystem::canonical(file, failure);  // a link stays a link
  const std::string target = failure ? file : real.string();
  struct stat status {};
  if (::stat(target.c_str(), &status) != 0 || ::access(target.c_str(), W_OK) != 0) return unwritable(file, "access");
  std::string temporary = target + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) return unwritable(file, "temporary file");
  Unfinished unfinished{temporary};
  std::size_t written = 0;
  bool good = ::fchmod(descriptor, status.st_mode & 07777) == 0;
  while (good && written < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    good = count > 0;
    if (good) written += static_cast<std::size_t>(count);
  }
  good = good && ::fsync(descriptor) == 0;
  const int cause = errno;
  const bool closed = ::close(descriptor) == 0;
  if (!good) errno = cause;
  if (!good || !closed) return unwritable(file, "write");
  if (::rename(temporary.c_str(), target.c_str()) != 0) return unwritable(file, "rename");
  unfinished.path.clear();
  return {};
}

}  // namespace

Expected<JsonValue> updated_config(const JsonValue& document, const std::string& file, Graph& graph,
                                   DiagnosticSink& sink) {
  MO_ASSIGN(const ReadDescriptors read, read_descriptors(document, file));
  for (const Diagnostic& warning : read.warnings) sink.report(warning);
  JsonValue made = document;
  for (std::size_t i = 0; i < read.descriptors.size(); ++i)
    if (auto done = update_one(made.items[i], read.descriptors[i], graph, sink); !done)
      return std::move(done).error().in_file(read.descriptors[i].location);
  return made;
}

Expected<void> update_config_file(const std::string& file, Graph& graph, DiagnosticSink& sink) {
  MO_ASSIGN(const JsonValue document, read_json(file));
  MO_ASSIGN(const JsonValue made, updated_config(document, file, graph, sink));
  return replace_file(file, to_json_text(made, /*sorted_keys=*/true));
}

}  // namespace mo::config
