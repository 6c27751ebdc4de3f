#include <algorithm>

#include "frontends/caffe/net.hpp"

namespace mo::caffe {
namespace {

struct State {
  std::int64_t level = 0;
  std::vector<std::string> stages;
};

Expected<std::vector<std::string>> stages_of(const TextMessage& message, std::string_view field_name) {
  std::vector<std::string> stages;
  MO_TRY(message.each(field_name, [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(std::string stage, text_of(value, field));
    stages.push_back(std::move(stage));
    return {};
  }));
  return stages;
}

Expected<bool> is_test(const TextValue& value, const TextField& field) {
  if (const auto* number = std::get_if<std::int64_t>(&value); number && (*number == 0 || *number == 1))
    return *number == 1;
  MO_ASSIGN(const std::string phase, text_of(value, field));
  if (phase != "TRAIN" && phase != "TEST")
    return error_at(field.place_of(value), "MO-CAFFE-0008", "there is no phase {}", phase.substr(0, 80))
        .hint("phases are TRAIN and TEST");
  return phase == "TEST";
}

/// Caffe: NetStateRule. Everything that the rule names must hold.
Expected<bool> holds(const TextMessage& rule, const State& state) {
  bool holds = true;
  MO_TRY(rule.each("phase", [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(const bool test, is_test(value, field));
    holds = holds && test;
    return {};
  }));
  MO_ASSIGN(const std::int64_t least, integer_field(rule, "min_level", state.level));
  MO_ASSIGN(const std::int64_t most, integer_field(rule, "max_level", state.level));
  MO_ASSIGN(const std::vector<std::string> wanted, stages_of(rule, "stage"));
  MO_ASSIGN(const std::vector<std::string> unwanted, stages_of(rule, "not_stage"));
  const auto is_on = [&](const std::string& stage) {
    return std::find(state.stages.begin(), state.stages.end(), stage) != state.stages.end();
  };
  return holds && least <= state.level && state.level <= most && std::all_of(wanted.begin(), wanted.end(), is_on) &&
         std::none_of(unwanted.begin(), unwanted.end(), is_on);
}

Expected<bool> any_holds(const TextMessage& layer, std::string_view name, const State& state) {
  bool any = false;
  MO_TRY(layer.each(name, [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(const TextMessage* const rule, message_of(value, field));
    MO_ASSIGN(const bool one, holds(*rule, state));
    any = any || one;
    return {};
  }));
  return any;
}

}  // namespace

Expected<bool> runs_in_test_phase(const TextMessage& layer, const TextMessage& net) {
  const bool includes = layer.has("include");
  const bool excludes = layer.has("exclude");
  if (!includes && !excludes) return true;
  if (includes && excludes)
    return error_at(layer.place, "MO-CAFFE-0008", "a layer has both include and exclude rules")
        .hint("Caffe allows only one kind of them");
  State state;
  MO_TRY(net.each("state", [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(const TextMessage* const message, message_of(value, field));
    MO_ASSIGN(state.level, integer_field(*message, "level", 0));
    MO_ASSIGN(state.stages, stages_of(*message, "stage"));
    return {};
  }));
  MO_ASSIGN(const bool found, any_holds(layer, includes ? "include" : "exclude", state));
  return found == includes;
}

}  // namespace mo::caffe
