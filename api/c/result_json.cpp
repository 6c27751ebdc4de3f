#include <nlohmann/json.hpp>

#include "api/c/result.hpp"
#include "driver/version.hpp"
#include "tools/common/messages_json.hpp"
#include "tools/inspect/report.hpp"
#include "tools/verify/report.hpp"

namespace mo::api {
namespace {

using Json = nlohmann::ordered_json;

/// A path, or null for what was kept in memory or not written.
Json path_json(const std::string& path) { return path.empty() ? Json(nullptr) : Json(path); }

Json json_of(const Report& report) {
  Json made{{"ir_version", report.ir_version},
            {"layers", report.layers},
            {"xml", path_json(report.xml_path)},
            {"bin", path_json(report.bin_path)}};
  if (!report.onnx_path.empty()) made["onnx"] = report.onnx_path;
  if (!report.onnx_data_path.empty()) made["onnx_data"] = report.onnx_data_path;
  made["inputs"] = report.inputs;
  made["text"] = report.text;
  return made;
}

Json json_of(const std::vector<NamedTensor>& outputs) {
  Json rows = Json::array();
  for (const NamedTensor& output : outputs)
    rows.push_back({{"name", output.name},
                    {"tensor_names", output.tensor_names},
                    {"element_type", std::string(to_string(output.value.element_type()))},
                    {"shape", output.value.shape()}});
  return rows;
}

}  // namespace

std::string json_of(const mo_result& result) {
  Json made;
  made["mo"] = std::string(version());
  made["status"] = static_cast<int>(result.status);
  made["messages"] = tools::messages_json(result.messages);
  made["conversion"] = result.conversion ? json_of(*result.conversion) : Json(nullptr);
  made["inspection"] = result.inspection ? tools::plan_json(*result.inspection) : Json(nullptr);
  made["verification"] = result.verification ? tools::verification_json(*result.verification) : Json(nullptr);
  made["outputs"] = result.ran ? json_of(result.outputs) : Json(nullptr);
  // Names come from models and need not be UTF-8.
  return made.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mo::api
