#include "plugins/loader/contributions.hpp"

#include <algorithm>

namespace mo::plugins {

std::vector<std::string> contributions_of(const Registry& registry, std::string_view owner) {
  std::vector<std::string> found;
  for (const OpType* type : registry.ops().all())
    if (registry.ops().owner_of(*type).name == owner)
      found.push_back(fmt::format(
          "op {}.{}", type->opset_name.empty() ? fmt::format("opset{}", type->opset) : type->opset_name, type->name));
  for (const auto& [framework, table] : registry.operators())
    for (const auto& [op, rows] : table.rows())
      for (const OperatorTable::Row& row : rows)
        if (row.owner.name == owner)
          found.push_back(fmt::format("{} {} {} {} to {}", row.extract ? "extractor" : "translator", framework, op,
                                      row.versions.first, row.versions.last));
  for (const Pass& pass : registry.passes().passes())
    if (registry.passes().owner_of(pass.name).name == owner)
      found.push_back(fmt::format("pass {} ({})", pass.name, to_string(pass.phase)));
  for (const std::string& op : registry.onnx_forms().ops_of(owner)) found.push_back("ONNX form " + op);
  for (const auto& [name, frontend] : registry.frontends())
    if (registry.owner_of_frontend(name).name == owner) found.push_back("framework " + name);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace mo::plugins
