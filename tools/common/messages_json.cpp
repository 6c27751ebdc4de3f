#include "tools/common/messages_json.hpp"

#include <nlohmann/json.hpp>

namespace mo::tools {

nlohmann::ordered_json messages_json(const std::vector<Diagnostic>& messages) {
  auto rows = nlohmann::ordered_json::array();
  for (const Diagnostic& message : messages)
    rows.push_back({{"severity", std::string(to_string(message.severity))},
                    {"code", message.code},
                    {"message", message.message},
                    {"hint", message.hint_text},
                    {"node", message.node},
                    {"op", message.op},
                    {"framework", message.framework},
                    {"phase", message.phase},
                    {"plugin", message.plugin_code},
                    {"location", message.location},
                    {"inputs", message.inputs},
                    {"notes", message.notes}});
  return rows;
}

}  // namespace mo::tools
