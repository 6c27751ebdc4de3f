#include "tools/verify/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace mo::tools {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinite numbers.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const TensorStatistics& statistics) {
  return {{"elements", statistics.elements}, {"nan", statistics.nans},         {"infinite", statistics.infinities},
          {"min", number(statistics.least)}, {"max", number(statistics.most)}, {"mean", number(statistics.mean)},
          {"rms", number(statistics.rms)}};
}

Json json_of(const TensorDifference& difference) {
  if (!difference.kind.empty()) return {{"kind", difference.kind}};
  return {{"max_abs", number(difference.max_absolute)},
          {"max_rel", number(difference.max_relative)},
          {"max_ulp", number(difference.max_ulp)},
          {"cosine", number(difference.cosine)},
          {"of_tolerance", number(difference.worst)},
          {"beyond_tolerance", difference.beyond},
          {"place", difference.place},
          {"actual", json_of(difference.actual)},
          {"expected", json_of(difference.expected)}};
}

Json json_of(const LayerCheck& layer) {
  return {{"name", layer.layer},
          {"type", layer.type},
          {"tensor", layer.tensor},
          {"source_node", layer.source_node},
          {"source_op", layer.source_op},
          {"sources", layer.sources},
          {"region", layer.region},
          {"right_inputs", layer.right_inputs},
          {"difference", json_of(layer.difference)}};
}

Json json_of(const GuiltyPass& guilty) {
  constexpr const char* kWhen[] = {"before", "during", "after", "engine"};
  const char* const when = kWhen[static_cast<std::size_t>(guilty.when)];
  Json made{{"when", when}, {"pass", guilty.name}, {"conversions", guilty.runs}};
  made["layer"] = guilty.layer ? json_of(*guilty.layer) : Json(nullptr);
  return made;
}

std::string text_of(const TensorStatistics& s) {
  std::string text = fmt::format("{:.6g} … {:.6g}, mean {:.6g}, rms {:.6g}", s.least, s.most, s.mean, s.rms);
  if (s.nans > 0) text += fmt::format(", {} NaN", s.nans);
  if (s.infinities > 0) text += fmt::format(", {} infinite", s.infinities);
  return text;
}

std::string text_of(const LayerCheck& layer) {
  std::string text = fmt::format("'{}' ({})", layer.layer, layer.type);
  if (!layer.tensor.empty() && layer.tensor != layer.layer) text += fmt::format(", tensor '{}'", layer.tensor);
  text += fmt::format("\n    {}\n", layer.difference.to_string());
  if (layer.difference.kind.empty())
    text += fmt::format("    is         {}\n    should be  {}\n", text_of(layer.difference.actual),
                        text_of(layer.difference.expected));
  if (!layer.source_node.empty()) text += fmt::format("    source     '{}' ({})\n", layer.source_node, layer.source_op);
  if (layer.region.size() > 1)
    text += fmt::format("    with       {}\n", fmt::join(layer.region.begin() + 1, layer.region.end(), ", "));
  if (!layer.right_inputs.empty()) text += fmt::format("    right are  {}\n", fmt::join(layer.right_inputs, ", "));
  if (layer.sources.size() > 1) text += fmt::format("    made of    {}\n", fmt::join(layer.sources, ", "));
  return text;
}

std::string text_of(const GuiltyPass& guilty) {
  switch (guilty.when) {
    case GuiltyPass::When::before: return "    guilty     no pass: the model was read wrongly\n";
    case GuiltyPass::When::after:
      return "    guilty     no pass: a conversion with these options is right, the file is not what it writes\n";
    case GuiltyPass::When::engine:
      return "    guilty     no pass: mo computes the IR as the model, and only the engine differs\n";
    case GuiltyPass::When::during: break;
  }
  return fmt::format("    guilty     pass {} ({} conversions)\n", guilty.name, guilty.runs);
}

std::string summary(const Verification& verification) {
  const char* what = "compute the same";
  if (verification.verdict == Verdict::unstable) what = "compute the same but for what rounding decides";
  if (verification.verdict == Verdict::different) what = "do not compute the same";
  const std::string in_engine = verification.engine.empty() ? "" : " in " + verification.engine;
  return fmt::format("{}{} and {}{} {}", verification.source, verification.engine_runs_ir ? "" : in_engine,
                     verification.checked, verification.engine_runs_ir ? in_engine : "", what);
}

}  // namespace

std::string summary_of(const Verification& verification) { return summary(verification) + "\n"; }

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal: return "equal";
    case Verdict::unstable: return "unstable";
    case Verdict::different: break;
  }
  return "different";
}

std::string text_of(const Verification& verification) {
  std::string text;
  for (const OutputCheck& output : verification.check.outputs)
    text += fmt::format("output '{}': {}{}{}\n", output.name,
                        !output.compared ? "not compared"
                        : output.close   ? "equal"
                                         : "different",
                        output.compared ? ": " + output.difference.to_string() : "",
                        output.close && !output.moved.empty() ? "; channels stand elsewhere: " + output.moved : "");
  if (verification.check.layer) {
    text +=
        fmt::format("{} {}", verification.verdict == Verdict::unstable ? "rounding decides at" : "the numbers part at",
                    text_of(*verification.check.layer));
    if (!verification.layer_passes.empty())
      text += fmt::format("    passes     {}\n", fmt::join(verification.layer_passes, ", "));
  }
  if (verification.guilty) text += text_of(*verification.guilty);
  for (const ChosenSizes& sizes : verification.sizes)
    text += fmt::format("with sizes that were chosen: {}\n", to_string(sizes));
  return text + summary_of(verification);
}

Json verification_json(const Verification& verification) {
  Json made{{"verdict", std::string(to_string(verification.verdict))},
            {"source", verification.source},
            {"checked", verification.checked},
            {"engine", verification.engine.empty() ? Json(nullptr) : Json(verification.engine)},
            {"engine_runs",
             verification.engine.empty() ? Json(nullptr) : Json(verification.engine_runs_ir ? "checked" : "source")},
            {"sizes", Json::array()},
            {"seeds", verification.seeds},
            {"outputs", Json::array()},
            {"compared_tensors", verification.check.compared}};
  for (const OutputCheck& output : verification.check.outputs)
    made["outputs"].push_back({{"name", output.name},
                               {"compared", output.compared},
                               {"close", output.close},
                               {"moved", output.moved.empty() ? Json(nullptr) : Json(output.moved)},
                               {"difference", output.compared ? json_of(output.difference) : Json(nullptr)}});
  for (const ChosenSizes& sizes : verification.sizes) {
    Json shapes = Json::object();
    for (const auto& [name, shape] : sizes) shapes[name] = shape;
    made["sizes"].push_back(std::move(shapes));
  }
  made["layer"] = verification.check.layer ? json_of(*verification.check.layer) : Json(nullptr);
  made["passes"] = verification.layer_passes;
  made["guilty"] = verification.guilty ? json_of(*verification.guilty) : Json(nullptr);
  return made;
}

std::string json_of(const Verification& verification) {
  return verification_json(verification).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Diagnostic as_error(const Verification& verification) {
  Diagnostic made = error("MO-VERIFY-0001", "{}", summary(verification));
  if (verification.check.layer) {
    made.node = verification.check.layer->layer;
    made.op = verification.check.layer->type;
  }
  return std::move(made).hint("{}", verification.guilty ? "the report above says where the numbers part"
                                                        : "--bisect finds the pass that did it");
}

}  // namespace mo::tools
