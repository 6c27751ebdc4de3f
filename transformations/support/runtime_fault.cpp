#include "transformations/support/runtime_fault.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mo::transformations {

namespace {

template <class Builder>
Builder of_last_steps(Builder builder, RuntimeFault fault) {
  return std::move(builder).phase(Phase::back).run_after({"BackFinish"}).avoids(std::move(fault));
}

}  // namespace

GraphRewriteBuilder avoid_fault(std::string name, RuntimeFault fault) {
  return of_last_steps(graph_rewrite(std::move(name)), std::move(fault));
}

GraphPassBuilder avoid_fault_of_graph(std::string name, RuntimeFault fault) {
  return of_last_steps(graph_pass(std::move(name)), std::move(fault));
}

std::string describe_faults(const std::deque<Pass>& passes) {
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
