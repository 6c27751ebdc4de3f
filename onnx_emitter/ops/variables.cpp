#include "onnx_emitter/translator.hpp"
#include "ops/assign.hpp"
#include "ops/read_value.hpp"

namespace mo::onnx_emitter {
namespace {

/// Those of the model have become its inputs and outputs (pass StatefulToStateless).
Expected<Outputs> variable_of_body(Translation& t) { return t.refused("a state variable inside of a body"); }

}  // namespace

void register_variables(OnnxForms& table) {
  table.add<ops::v3::ReadValue>(variable_of_body);
  table.add<ops::v6::ReadValue>(variable_of_body);
  table.add<ops::v3::Assign>(variable_of_body);
  table.add<ops::v6::Assign>(variable_of_body);
}

}  // namespace mo::onnx_emitter
