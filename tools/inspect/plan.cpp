#include "tools/inspect/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tools/inspect/cuts.hpp"
#include "tools/inspect/forward.hpp"
#include "tools/inspect/shape_guess.hpp"
#include "tools/inspect/value_guess.hpp"

namespace mo::tools {
namespace {

/// A conversion in memory takes as long as one without weights: after so many of them nothing better is looked for.
constexpr std::size_t kMostTrials = 200;
constexpr std::size_t kMostRounds = 40;
constexpr std::string_view kFreeze = "freeze_placeholder_with_value";

/// The texts in single quotes: names that a message lists.
std::vector<std::string> quoted_names(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t begin = text.find('\'');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('\'', begin + 1);
    if (end == std::string_view::npos) return names;
    names.emplace_back(text.substr(begin + 1, end - begin - 1));
    text.remove_prefix(end + 1);
  }
}

/// "[1,?,3]" as --input takes it; nothing for an unknown rank.
std::string shape_word(const PartialShape& shape) {
  if (!shape.has_rank()) return "";
  std::vector<std::string> dims;
  for (const Dimension& dim : shape)
    dims.push_back(dim.is_known()                        ? std::to_string(dim.value())
                   : dim.min() == 0 && !dim.is_bounded() ? "?"
                                                         : fmt::format("{}..{}", dim.min(), dim.max()));
  return fmt::format("[{}]", fmt::join(dims, " "));
}

/// What a hint proposes for a new input: "decoded:0[16000 1]" of `--input "decoded:0[16000 1]"`.
std::string input_of_hints(const std::vector<Refusal>& refusals, const std::string& name) {
  constexpr std::string_view kOption = "--input \"";
  for (const Refusal& refusal : refusals) {
    const std::size_t begin = refusal.hint.find(kOption);
    if (begin == std::string::npos) continue;
    const std::size_t end = refusal.hint.find('"', begin + kOption.size());
    const std::string word = refusal.hint.substr(begin + kOption.size(), end - begin - kOption.size());
    if (word.starts_with(name + "[") || word.starts_with(name + ":0[")) return word;
  }
  return "";
}

/// "a,b->[1]" of the --input "a[1,2],b[3]->[1]".
std::string without_shapes(std::string_view inputs) {
  std::string left;
  while (!inputs.empty()) {
    const std::size_t begin = inputs.find('[');
    left += inputs.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(inputs.find(']', begin) + 1, inputs.size());
    if (left.ends_with("->")) left += inputs.substr(begin, end - begin);
    inputs.remove_prefix(std::max(end, begin + 1));
  }
  return left;
}

/// Whether the hint tells to give this option.
bool advises(const Refusal& refusal, std::string_view option) { return refusal.hint.find(option) != std::string::npos; }

class Planner {
 public:
  explicit Planner(const ParseOptions& parse) : parse_(parse) {}

  std::optional<Proposal> solve(const CommandWords& line, const Trial& trial) {
    if (trial.converts()) return of_converted(line, trial);
    if (auto found = by_own_shapes(line)) return found;
    if (auto found = by_signature(line, trial)) return found;
    if (auto found = by_configuration(line, trial)) return found;
    if (auto found = by_shapes(line, trial, {})) return found;
    if (auto found = by_values(line, trial)) return found;
    if (auto found = by_forward(line, trial)) return found;
    std::optional<Proposal> part = by_cut(line, trial);
    if (part && !part->only_copies) return part;
    std::optional<Proposal> other = by_version(line);
    return other && (!part || !other->only_copies) ? other : part;
  }

  std::optional<Proposal> with_configuration(const CommandWords& line, const Trial& trial) {
    return by_configuration(line, trial);
  }

 private:
  /// Nothing when enough was tried, or when the line cannot be understood (names with characters that the options use
  /// themselves).
  std::optional<Trial> attempt(const CommandWords& line) {
    if (++trials_ > kMostTrials) return std::nullopt;
    const auto options = parse_(line.words());
    if (!options) return std::nullopt;
    return try_conversion(*options);
  }

  static Proposal proposal_for_whole(const CommandWords& line, const Trial& trial,
                                     std::vector<std::string> assumptions) {
    return {line,
            true,
            trial.only_copies,
            trial.facts ? trial.facts->nodes : 0,
            std::move(assumptions),
            trial.is_constant_output};
  }

  /// Inputs of unknown rank get one, as far as one is found for all.
  std::optional<Proposal> of_converted(const CommandWords& line, const Trial& trial) {
    if (trial.has_open_rank && trial.front)
      if (auto found = guess(line, open_inputs(*trial.front, {}), false)) return found;
    return proposal_for_whole(line, trial, {});
  }

  /// The shapes of the model, where others were given.
  std::optional<Proposal> by_own_shapes(const CommandWords& line) {
    CommandWords with = line;
    std::vector<std::string> assumptions;
    for (const char* const option : {"input_shape", "batch", "input"}) {
      const std::string given = line.value(option);
      const std::string left = option == std::string_view("input") ? without_shapes(given) : "";
      if (left == given) continue;
      assumptions.push_back(fmt::format("the model's own shapes will do: --{} was '{}'", option, given));
      if (left.empty())
        with.erase(option);
      else
        with.set(option, left);
    }
    if (assumptions.empty()) return std::nullopt;
    const auto tried = attempt(with);
    if (!tried || !tried->converts() || !tried->computes) return std::nullopt;
    return proposal_for_whole(with, *tried, std::move(assumptions));
  }

  std::optional<Proposal> by_signature(const CommandWords& line, const Trial& trial) {
    if (!advises(trial.refusals.front(), "--saved_model_signature") || !line.value("saved_model_signature").empty())
      return std::nullopt;
    std::optional<Proposal> best;
    for (const std::string& name : quoted_names(trial.refusals.front().message)) {
      CommandWords with = line;
      with.set("saved_model_signature", name);
      const auto tried = attempt(with);
      auto found = tried ? solve(with, *tried) : std::nullopt;
      if (!found || (best && found->ops <= best->ops)) continue;
      found->assumptions.push_back(fmt::format("the signature '{}' of several is meant", name));
      best = std::move(found);
    }
    return best;
  }

  std::optional<Proposal> by_configuration(const CommandWords& line, const Trial& trial) {
    if (!trial.facts || trial.facts->families.empty() || !line.value("transformations_config").empty())
      return std::nullopt;
    CommandWords with = line;
    with.set("transformations_config", "auto");
    namespace fs = std::filesystem;
    const fs::path pipeline = fs::path(line.value("input_model")).parent_path() / "pipeline.config";
    std::error_code ignored;
    if (line.value("tensorflow_object_detection_api_pipeline_config").empty() && fs::exists(pipeline, ignored))
      with.set("tensorflow_object_detection_api_pipeline_config", pipeline.string());
    const auto tried = attempt(with);
    if (!tried || !tried->converts()) return std::nullopt;
    return proposal_for_whole(with, *tried, {});
  }

  /// All inputs get fixed shapes, where these are what is missing (IR version 10 has no others).
  std::optional<Proposal> by_shapes(const CommandWords& line, const Trial& trial, const std::vector<CutInput>& cut) {
    const bool dynamic = std::any_of(trial.refusals.begin(), trial.refusals.end(),
                                     [](const Refusal& refusal) { return advises(refusal, "--input_shape"); });
    if (!dynamic || !trial.front) return std::nullopt;
    return guess(line, open_inputs(*trial.front, cut), true);
  }

  /// Inputs get fixed values, where these are what is missing: a switch between training and inference, an axis, sizes.
  std::optional<Proposal> by_values(const CommandWords& line, const Trial& trial) {
    if (!trial.front) return std::nullopt;
    for (const Setting& input : settings_of(*trial.front, trial.refusals))
      for (const std::string_view value : input.values) {
        CommandWords with = line;
        const std::string given = line.value(kFreeze);
        with.set(kFreeze, fmt::format("{}{}{}->{}", given, given.empty() ? "" : ",", input.name, value));
        const auto tried = attempt(with);
        if (!tried) return std::nullopt;
        if (refuses_a_reader(tried->refusals, input) || (tried->converts() && !tried->computes)) continue;
        auto found = solve(with, *tried);  // what else is refused
        if (found)
          found->assumptions.push_back(
              fmt::format("input '{}' has the value {}: the model takes it when it runs", input.name, value));
        return found;
      }
    return std::nullopt;
  }

  /// Of a graph that trains a net: the net.
  std::optional<Proposal> by_forward(const CommandWords& line, const Trial& trial) {
    if (!trial.front || !line.value("output").empty()) return std::nullopt;
    const std::optional<Part> part = forward_part(*trial.front);
    if (!part) return std::nullopt;
    std::optional<Trial> last;
    return by_part(line, *part, trial.refusals, last);
  }

  /// The inputs that are read.
  static std::vector<OpenInput> open_inputs(const Graph& graph, const std::vector<CutInput>& cut) {
    std::vector<OpenInput> inputs;
    const std::vector<std::string> names = dimension_names_of(graph);
    for (const Node& parameter : graph.parameters()) {
      if (parameter.output().disconnected()) continue;
      const PartialShape& shape = parameter.as<Parameter>()->shape;
      OpenInput input{std::string(parameter.name()), parameter.output(), shape, shape_text(shape, names)};
      restore_name(input, cut);
      inputs.push_back(std::move(input));
    }
    return inputs;
  }

  /// A cut makes inputs with names of their own: the line names the tensor that was cut.
  static void restore_name(OpenInput& input, const std::vector<CutInput>& cut) {
    for (const CutInput& each : cut)
      if (input.name == each.parameter) input.name = each.name;
  }

  std::optional<Proposal> guess(const CommandWords& line, const std::vector<OpenInput>& inputs, bool is_static) {
    for (const std::vector<PartialShape>& shapes : shape_guesses(inputs, is_static)) {
      std::vector<std::string> words;
      std::vector<std::string> assumptions;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        words.push_back(inputs[i].name + shape_word(shapes[i]));
        if (!(shapes[i] == inputs[i].shape))
          assumptions.push_back(fmt::format("input '{}' has the shape {}: the model says {}", inputs[i].name,
                                            shapes[i].to_string(), inputs[i].shape_text));
      }
      CommandWords with = line;
      with.erase("input_shape");
      with.set("input", fmt::format("{}", fmt::join(words, ",")));
      const auto tried = attempt(with);
      if (!tried) return std::nullopt;
      if (tried->converts() && tried->computes && !tried->has_open_rank)
        return proposal_for_whole(with, *tried, std::move(assumptions));
    }
    return std::nullopt;
  }

  /// What no IR of version 10 can express may be one of version 11.
  std::optional<Proposal> by_version(const CommandWords& line) {
    if (line.value("ir_version") != "10") return std::nullopt;
    CommandWords with = line;
    with.set("ir_version", "11");
    trials_ = 0;
    const auto tried = attempt(with);
    auto found = tried ? solve(with, *tried) : std::nullopt;
    if (found) found->assumptions.push_back("IR version 11 will do: no part was found for version 10");
    return found;
  }

  /// Names in their order, each once.
  struct Names {
    std::vector<std::string> all = {};
    std::set<std::string> known = {};
  };

  /// Says whether the trial refused others.
  static bool add_nodes(const Trial& trial, Names& refused) {
    const std::size_t before = refused.all.size();
    for (const Refusal& refusal : trial.refusals)
      for (const std::string& name : refusal.nodes)
        if (refused.known.insert(name).second) refused.all.push_back(name);
    return refused.all.size() > before;
  }

  /// The largest part without what is refused. A part may be refused for something else: that is left out as well then.
  /// Parts that only copy are the last choice.
  std::optional<Proposal> by_cut(const CommandWords& line, const Trial& trial) {
    if (!trial.front) return std::nullopt;
    Names refused;
    if (!add_nodes(trial, refused)) return std::nullopt;
    std::optional<Proposal> copies;
    for (std::size_t round = 0; round < kMostRounds; ++round) {
      bool learned = false;
      for (const Part& part : parts_without(*trial.front, refused.all)) {
        std::optional<Trial> last;
        auto found = by_part(line, part, trial.refusals, last);
        if (found && !found->only_copies) return found;
        if (!last) return copies;
        if (found) {
          if (!copies) copies = std::move(found);
          continue;
        }
        // Most of this part may still be larger than the next one.
        learned = add_nodes(*last, refused);
        if (learned) break;
      }
      if (!learned) return copies;
    }
    return copies;
  }

  /// First with the shapes that messages advise, then with those that the part itself suggests. `last`: what the cut
  /// alone led to; none when enough was tried.
  std::optional<Proposal> by_part(const CommandWords& line, const Part& part, const std::vector<Refusal>& refusals,
                                  std::optional<Trial>& last) {
    const CommandWords plain = cut_line(line, part, {});
    for (const CommandWords& with : {cut_line(line, part, refusals), plain}) {
      const bool is_plain = with.text() == plain.text();
      last = attempt(with);
      if (!last && !is_plain) continue;  // advice with a gap to fill in: "decoded:0[shape]"
      if (!last) return std::nullopt;
      std::optional<Proposal> found;
      if (!last->converts() && is_plain) found = by_shapes(with, *last, part.inputs);
      if (!found && !last->converts() && is_plain) found = by_values(with, *last);
      if (!found && is_plain && (has_open_rank(part) || last->has_open_rank)) found = by_ranks(with, part, *last);
      if (!found && last->converts() && last->computes) found = proposal_for_whole(with, *last, {});
      if (found) {
        found->is_whole = false;
        found->ops = part.ops;
        return without_constants(*std::move(found), part);
      }
      if (is_plain) break;
    }
    return std::nullopt;
  }

  /// Outputs of the part that turned out to be constants are not asked for.
  std::optional<Proposal> without_constants(Proposal found, const Part& part) {
    if (found.is_constant_output.size() != part.outputs.size()) return found;
    std::vector<std::string> outputs;
    for (std::size_t i = 0; i < part.outputs.size(); ++i)
      if (!found.is_constant_output[i]) outputs.push_back(part.outputs[i]);
    if (outputs.size() == part.outputs.size()) return found;
    CommandWords with = found.line;
    with.set("output", fmt::format("{}", fmt::join(outputs, ",")));
    const auto tried = attempt(with);
    if (tried && tried->converts() && tried->computes) found.line = std::move(with);
    return found;
  }

  static bool has_open_rank(const Part& part) {
    return std::any_of(part.inputs.begin(), part.inputs.end(),
                       [](const CutInput& input) { return !input.type.shape.has_rank(); });
  }

  /// What a refused op computes has no shape: ranks are tried, unless the readers tell them.
  std::optional<Proposal> by_ranks(const CommandWords& line, const Part& part, const Trial& tried) {
    if (!tried.front || (tried.converts() && !tried.has_open_rank)) return std::nullopt;
    return guess(line, open_inputs(*tried.front, part.inputs), false);
  }

  static CommandWords cut_line(const CommandWords& line, const Part& part, const std::vector<Refusal>& refusals) {
    CommandWords with = line;
    if (!part.inputs.empty()) {
      std::vector<std::string> inputs;
      if (const std::string given = line.value("input"); !given.empty())
        inputs.push_back(given);
      else
        inputs = part.own_inputs;
      for (const CutInput& input : part.inputs) {
        const std::string advised = input_of_hints(refusals, input.name);
        inputs.push_back(advised.empty() ? input.name + shape_word(input.type.shape) : advised);
      }
      with.set("input", fmt::format("{}", fmt::join(inputs, ",")));
      with.erase("input_shape");
    }
    with.set("output", fmt::format("{}", fmt::join(part.outputs, ",")));
    return with;
  }

  const ParseOptions& parse_;
  std::size_t trials_ = 0;
};

}  // namespace

Expected<Plan> make_plan(const Options& given, const ParseOptions& parse) {
  Plan plan{try_conversion(given), {}};
  if (plan.trial.is_ir) return plan;
  const CommandWords line(given);
  Planner planner(parse);
  // A detector that converts op by op is meant to be converted with its configuration.
  if (plan.trial.converts()) plan.proposal = planner.with_configuration(line, plan.trial);
  if (!plan.proposal) plan.proposal = planner.solve(line, plan.trial);
  return plan;
}

}  // namespace mo::tools
