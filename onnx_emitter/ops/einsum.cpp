#include "ops/einsum.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "onnx_emitter/translator.hpp"
#include "ops/support/einsum_equation.hpp"

namespace mo::onnx_emitter {
namespace {

/// With the labels of the result, which both can leave out.
Expected<Outputs> einsum(Translation& t) {
  if (t.opset < 12) return t.needs_opset(12);
  MO_ASSIGN(const ops::EinsumEquation parsed, ops::parse_einsum(t.node.as<ops::Einsum>()->equation));
  std::vector<std::string> inputs;
  for (const ops::EinsumLabels& labels : parsed.inputs) inputs.push_back(ops::label_text(labels));
  const std::string equation = fmt::format("{}->{}", fmt::join(inputs, ","), ops::label_text(parsed.output));
  return Outputs{t.op("Einsum", t.inputs(), {{"equation", equation}})};
}

}  // namespace

void register_einsum(OnnxForms& table) { table.add<ops::Einsum>(einsum); }

}  // namespace mo::onnx_emitter
