// A JSON configuration of sub-graph replacement, on a small model. Two files: the configuration and, when there is one,
// the GraphDef in text.
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/parts.hpp"
#include "fuzz/harness/scratch.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {
namespace {

/// Scopes a/ and b/, which descriptors can match.
constexpr std::string_view kScopedModel = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 2 } dim { size: 3 } } } } }
node { name: "a/relu" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "a/exp" op: "Exp" input: "a/relu" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "b/relu" op: "Relu" input: "a/exp" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "b/exp" op: "Exp" input: "b/relu" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "AddV2" input: "b/exp" input: "a/exp" attr { key: "T" value { type: DT_FLOAT } } }
)";

}  // namespace

void run_transformations_config(std::string_view input) {
  const std::vector<std::string_view> parts = parts_of(input, 2);
  Options options = options_for("tf", "model.pbtxt", parts[1].empty() ? kScopedModel : parts[1]);
  options.tensorflow.input_model_is_text = true;
  options.transformations_config = Scratch::instance().write("config.json", parts[0]);
  converted(std::move(options));
}

}  // namespace mo::fuzz
