#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/version.hpp"
#include "tools/common/messages_json.hpp"
#include "tools/inspect/facts_json.hpp"
#include "tools/report/graph_json.hpp"
#include "tools/report/report.hpp"

namespace mo::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string_view word_for(ReportRecord::Kind kind) {
  switch (kind) {
    case ReportRecord::Kind::conversion: return "conversion";
    case ReportRecord::Kind::verification: return "verification";
    case ReportRecord::Kind::comparison: break;
  }
  return "comparison";
}

Json model_json(const std::optional<ModelFacts>& facts) { return facts ? facts_json(*facts) : Json(nullptr); }

Json options_json(const std::vector<GivenOption>& options) {
  Json rows = Json::array();
  // As the IR has them: a report tells nothing about the folders of the machine that made it.
  for (const GivenOption& option : options)
    rows.push_back({{"name", option.name},
                    {"value", option.is_path ? std::filesystem::path(option.text).filename().string() : option.text}});
  return rows;
}

Json ir_json(const std::optional<Report>& ir) {
  if (!ir || ir->xml_path.empty()) return nullptr;
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  return {{"version", ir->ir_version}, {"xml", name(ir->xml_path)},  {"bin", name(ir->bin_path)},
          {"layers", ir->layers},      {"xml_bytes", ir->xml_bytes}, {"bin_bytes", ir->bin_bytes}};
}

Json passes_json(const std::map<std::string, PassDescription>& passes) {
  Json rows = Json::array();
  for (const auto& [name, form] : passes)
    rows.push_back({{"name", name}, {"before", form.before}, {"after", form.after}, {"conditions", form.conditions}});
  return rows;
}

Json fusions_json(const std::vector<Fusion>& fusions) {
  Json rows = Json::array();
  for (const Fusion& fusion : fusions)
    rows.push_back({{"row", fusion.row},
                    {"layer", fusion.layer},
                    {"type", fusion.type},
                    {"sources", fusion.sources},
                    {"passes", fusion.passes},
                    {"folded", fusion.folded}});
  return rows;
}

Json transposes_json(const std::vector<KeptTranspose>& transposes) {
  Json rows = Json::array();
  for (const KeptTranspose& one : transposes)
    rows.push_back({{"row", one.row},
                    {"layer", one.layer},
                    {"order", one.order},
                    {"from", one.from},
                    {"to", one.to},
                    {"in_model", one.of_model},
                    {"reason", one.reason},
                    {"sources", one.sources},
                    {"passes", one.passes}});
  return rows;
}

Json constants_json(const std::vector<ConstantFact>& constants) {
  Json rows = Json::array();
  for (const ConstantFact& constant : constants)
    rows.push_back({{"row", constant.row},
                    {"layer", constant.layer},
                    {"type", constant.type},
                    {"bytes", constant.bytes},
                    {"offset", constant.offset},
                    {"readers", constant.readers},
                    {"same_as", constant.same_as},
                    {"compressed", constant.compressed},
                    {"clipped", constant.clipped}});
  return rows;
}

Json constants_json(const std::optional<ConstantFacts>& facts) {
  if (!facts) return nullptr;
  return {{"count", facts->count},
          {"bytes", facts->bytes},
          {"shared", facts->shared},
          {"shared_bytes", facts->shared_bytes},
          {"compressed", facts->compressed},
          {"compressed_bytes", facts->compressed_bytes},
          {"clipped", facts->clipped},
          {"biggest", constants_json(facts->biggest)},
          {"sharing", constants_json(facts->sharing)},
          {"clipping", constants_json(facts->clipping)}};
}

Json measurements_json(const std::vector<Step>& steps) {
  Json rows = Json::array();
  double seconds = 0;
  std::uint64_t peak = 0;
  for (const Step& step : steps) {
    rows.push_back({{"name", step.name},
                    {"phase", step.phase},
                    {"seconds", step.seconds},
                    {"changed", step.changed},
                    {"peak_bytes", step.peak_bytes}});
    seconds += step.seconds;
    peak = std::max(peak, step.peak_bytes);
  }
  return {{"seconds", seconds}, {"peak_bytes", peak}, {"steps", std::move(rows)}};
}

}  // namespace

std::string report_json(const ReportRecord& record) {
  Json report;
  report["format"] = 1;
  report["kind"] = std::string(word_for(record.kind));
  report["title"] = record.title;
  report["status"] = record.status;
  report["mo_version"] = std::string(version());
  report["model"] = model_json(record.model);
  report["other_model"] = model_json(record.other_model);
  report["options"] = options_json(record.options);
  report["messages"] = messages_json(record.messages);
  report["ir"] = ir_json(record.ir);
  report["passes"] = passes_json(record.passes);
  report["fusions"] = fusions_json(record.fusions);
  report["transposes"] = transposes_json(record.transposes);
  report["constants"] = constants_json(record.constants);
  report["measurements"] = measurements_json(record.steps);
  report["verification"] = record.verification ? *record.verification : Json();
  report["comparison"] = record.comparison ? *record.comparison : Json();
  // Names come from models and need not be UTF-8.
  std::string text = report.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();
  // A graph of a million nodes would take gigabytes as a tree.
  text += ",\n\"graphs\":";
  append_graphs(text, record);
  return text + "}\n";
}

}  // namespace mo::tools
