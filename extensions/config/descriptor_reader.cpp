#include "extensions/config/descriptor_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "core/support/nearest.hpp"
#include "extensions/config/json_view.hpp"
#include "extensions/config/model_layout.hpp"
#include "extensions/config/name_pattern.hpp"
#include "extensions/config/shipped_configs.hpp"

namespace mo::config {
namespace {

constexpr std::array<std::string_view, 11> kKeys{
    "id",     "match_kind", "instances", "include_inputs_to_sub_graph", "include_outputs_to_sub_graph",
    "inputs", "outputs",    "op",        "custom_attributes",           "description",
    "layout"};

/// Reads one descriptor. What is wrong goes to the problems of its view.
class Reader {
 public:
  Reader(const JsonView& view, std::vector<Diagnostic>& warnings) : view_(view), warnings_(warnings) {}

  Descriptor read() {
    made_.location = at(view_.problems().file(), view_.value().place);
    made_.custom_attributes = AttributeMap();
    check_keys();
    if (const auto id = view_.require("id"))
      if (const auto text = not_empty(*id)) made_.replacement_id = *text;
    read_kind();
    read_instances();
    read_flags();
    if (const auto op = view_.find("op")) read_op(*op);
    if (const auto layout = view_.find("layout")) read_layout(*layout);
    if (const auto custom = view_.find("custom_attributes"); custom && custom->expect(JsonKind::object))
      made_.custom_attributes = to_attributes(*custom);
    return std::move(made_);
  }

 private:
  /// A misspelled key must not be passed over in silence; a foreign one may be a remark of the author.
  void check_keys() {
    const std::vector<std::string> known(kKeys.begin(), kKeys.end());
    for (const JsonValue::Member& member : view_.value().members) {
      if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
      const std::string near = nearest(member.key, known, std::max<std::size_t>(member.key.size() / 3, 1));
      const std::string path = view_.path() + "." + member.key;
      if (!near.empty())
        view_.problems().add(
            error("MO-CONFIG-0005", "the key \"{}\" is unknown", member.key).hint("did you mean \"{}\"?", near),
            member.place, path);
      else
        warnings_.push_back(
            warning("MO-CONFIG-0010", "{}: the key \"{}\" is unknown and has no effect", path, member.key)
                .hint("remarks belong to the key \"description\"")
                .in_file(at(view_.problems().file(), member.place)));
    }
  }

  void ignored(const JsonView& view, std::string_view why) {
    warnings_.push_back(warning("MO-CONFIG-0016", "{}: {}", view.path(), why)
                            .hint("remove the key")
                            .in_file(at(view.problems().file(), view.value().place)));
  }

  std::optional<std::string> not_empty(const JsonView& view) {
    auto text = view.text();
    if (!text || !text->empty()) return text;
    view.problem(error("MO-CONFIG-0012", "the string is empty").hint("write a name, or remove the key"));
    return std::nullopt;
  }

  void read_kind() {
    const auto kind = view_.require("match_kind");
    const auto text = kind ? kind->one_of({"scope", "points", "general"}) : std::nullopt;
    if (!text) return;
    kind_ = *text == "scope" ? MatchKind::scope : *text == "points" ? MatchKind::points : MatchKind::general;
    made_.match_kind = *kind_;
  }

  void read_instances() {
    const auto inputs = view_.find("inputs");
    const auto outputs = view_.find("outputs");
    if (!kind_) return;  // reported; what follows depends on it
    if (*kind_ == MatchKind::general) {
      if (const auto instances = view_.find("instances"))
        instances->problem(error("MO-CONFIG-0015", "match kind \"general\" matches nothing, so it has no instances")
                               .hint("remove \"instances\", or write \"match_kind\": \"scope\" or \"points\""));
    } else if (const auto instances = view_.require("instances")) {
      if (*kind_ == MatchKind::scope)
        read_scopes(*instances);
      else
        read_points(*instances);
    }
    if (*kind_ != MatchKind::scope) {
      if (inputs) ignored(*inputs, "only match kind \"scope\" has inputs; those of \"points\" are its start points");
      if (outputs) ignored(*outputs, "only match kind \"scope\" has outputs; those of \"points\" are its end points");
      return;
    }
    if (inputs) read_inputs(*inputs);
    if (outputs) {
      made_.has_outputs = true;
      for (const JsonView& item : outputs->items()) read_port(item, made_.outputs);
    }
  }

  void check_pattern(const JsonView& view, const std::string& pattern) {
    if (auto compiled = NamePattern::compile(pattern); !compiled) view.problem(compiled.error().first());
  }

  void read_scopes(const JsonView& instances) {
    if (!instances.expect(JsonKind::array)) return;
    if (instances.value().items.empty())
      instances.problem(error("MO-CONFIG-0012", "the list of instances is empty")
                            .hint("list regular expressions, one for each scope"));
    for (const JsonView& item : instances.items())
      if (const auto text = not_empty(item)) {
        check_pattern(item, *text);
        made_.scopes.push_back(*text);
      }
  }

  void read_points(const JsonView& instances) {
    if (!instances.expect(JsonKind::object)) return;
    instances.allow_keys({"start_points", "end_points"});
    const auto read = [&](std::string_view key, std::vector<std::string>& names) {
      const auto list = instances.require(key);
      if (!list || !list->expect(JsonKind::array)) return;
      if (list->value().items.empty())
        list->problem(error("MO-CONFIG-0012", "the list is empty").hint("name at least one node"));
      std::set<std::string> seen;
      for (const JsonView& item : list->items())
        if (const auto name = not_empty(item)) {
          if (!seen.insert(*name).second)
            item.problem(error("MO-CONFIG-0014", "'{}' is listed twice", *name).hint("list each node once"));
          names.push_back(*name);
        }
    };
    read("start_points", made_.start_points);
    read("end_points", made_.end_points);
  }

  void read_inputs(const JsonView& inputs) {
    made_.has_inputs = true;
    for (const JsonView& item : inputs.items()) {
      PatternInput& input = made_.inputs.emplace_back();
      if (!item.expect(JsonKind::array)) continue;
      if (item.value().items.empty())
        item.problem(error("MO-CONFIG-0012", "an input that arrives nowhere")
                         .hint("list the nodes that read it, or remove the list"));
      for (const JsonView& place : item.items()) read_port(place, input.places);
    }
  }

  void read_port(const JsonView& view, std::vector<PatternPort>& to) {
    if (!view.expect(JsonKind::object)) return;
    view.allow_keys({"node", "port"});
    PatternPort made;
    if (const auto node = view.require("node"))
      if (const auto text = node->text()) {
        check_pattern(*node, *text);
        made.node = *text;
      }
    if (const auto port = view.require("port"))
      if (const auto number = port->integer()) {
        if (*number < 0 || *number > 65535)
          port->problem(error("MO-CONFIG-0013", "there is no port {}", *number).hint("ports count from 0"));
        made.port = *number;
      }
    to.push_back(std::move(made));
  }

  void read_flags() {
    const auto flag = [&](std::string_view key, bool& value) {
      const auto view = view_.find(key);
      if (!view) return;
      if (const auto on = view->boolean()) value = *on;
      if (kind_ && *kind_ != MatchKind::points) ignored(*view, "only match kind \"points\" has this key");
    };
    flag("include_inputs_to_sub_graph", made_.include_inputs);
    flag("include_outputs_to_sub_graph", made_.include_outputs);
  }

  void read_op(const JsonView& op) {
    const auto text = not_empty(op);
    if (!text) return;
    made_.op = *text;
    if (kind_ == MatchKind::general)
      op.problem(error("MO-CONFIG-0015", "match kind \"general\" matches nothing that could become an op")
                     .hint("write \"match_kind\": \"scope\" or \"points\", or remove \"op\""));
    if (text->find("::") != std::string::npos)
      op.problem(error("MO-CONFIG-0015", "\"{}\" is the name of a framework's op, not of an IR's", *text)
                     .hint("write the IR type without \"::\""));
  }

  void read_layout(const JsonView& layout) {
    made_.channels_first = wants_channels_first(layout);
    if (!view_.find("op")) ignored(layout, "the layout is that of an \"op\"; a replacer has its own");
  }

  const JsonView& view_;
  std::vector<Diagnostic>& warnings_;
  Descriptor made_;
  std::optional<MatchKind> kind_;
};

}  // namespace

const AttributeMap& Descriptor::custom() const {
  static const AttributeMap kNone;
  const AttributeMap* map = custom_attributes.map();
  return map ? *map : kNone;
}

Expected<ReadDescriptors> read_descriptors(const JsonValue& document, const std::string& file) {
  JsonProblems problems(file);
  ReadDescriptors made;
  const JsonView root(document, problems);
  if (root.expect(JsonKind::array))
    for (const JsonView& item : root.items())
      if (item.expect(JsonKind::object)) made.descriptors.push_back(Reader(item, made.warnings).read());
  MO_TRY(problems.finish());
  return made;
}

namespace {

/// A file; where there is none, what `mo` brings of that name. Command lines of the original name files of its
/// installation.
Expected<ReadDescriptors> read_one(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    MO_ASSIGN(const JsonValue document, read_json(path));
    return read_descriptors(document, path);
  }
  const std::string name = std::filesystem::path(path).filename().string();
  const ShippedConfig* shipped = find_shipped_config(name);
  if (!shipped) {
    Diagnostic unknown = unknown_config("MO-CONFIG-0001", name);
    unknown.message = fmt::format("there is no such file, and {}", unknown.message);
    return std::move(unknown).in_file(path);
  }
  MO_ASSIGN(const JsonValue document, parse_json(shipped->text, shipped->name));
  MO_ASSIGN(ReadDescriptors made, read_descriptors(document, std::string(shipped->name)));
  if (name != path)
    made.warnings.push_back(
        warning("MO-CONFIG-0007", "there is no such file: the built-in configuration {} is used", shipped->name)
            .hint("write --transformations_config {}", shipped->name)
            .in_file(path));
  return made;
}

}  // namespace

Expected<ReadDescriptors> read_descriptors(const std::vector<std::string>& files) {
  ReadDescriptors all;
  std::vector<Diagnostic> failed;
  for (const std::string& file : files) {
    auto made = read_one(file);
    if (!made) {
      failed.insert(failed.end(), made.error().items().begin(), made.error().items().end());
      continue;
    }
    std::move(made->descriptors.begin(), made->descriptors.end(), std::back_inserter(all.descriptors));
    std::move(made->warnings.begin(), made->warnings.end(), std::back_inserter(all.warnings));
  }
  if (!failed.empty()) return Error(std::move(failed));
  return all;
}

}  // namespace mo::config
