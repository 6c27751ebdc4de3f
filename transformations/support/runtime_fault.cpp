#include "transformations/support/runtime_fault.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mo::transformations {

GraphRewriteBuilder avoid_fault(std::string name, RuntimeFault fault) {
  const auto concerns_target = [last = fault.last](const Graph&, const PassContext& context) {
    return !is_older(last, context.settings.release);
  };
  return graph_rewrite(std::move(name))
      .phase(Phase::back)
      .run_after({"BackFinish"})
      .when(concerns_target)
      .avoids(std::move(fault));
}

std::string describe_faults(const std::vector<Pass>& passes) {
  std::vector<std::string> lines;
  for (const Pass& pass : passes)
    if (const RuntimeFault* fault = pass.fault.get())
      lines.push_back(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", pass.name, fault->form, fault->symptom, fault->first,
                                  fault->last, fault->replacement));
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace mo::transformations
