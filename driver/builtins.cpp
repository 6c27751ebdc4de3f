#include "driver/builtins.hpp"

#include "frontends/caffe/frontend.hpp"
#include "frontends/onnx/frontend.hpp"
#include "frontends/tensorflow/frontend.hpp"
#include "ops/register_all.hpp"

namespace mo {

// Defined by the generated manifests of the drop-in folders.
namespace front {
namespace onnx {
void register_all(PassRegistry& registry);
}
namespace caffe {
void register_all(PassRegistry& registry);
}
namespace tensorflow {
void register_all(PassRegistry& registry);
}
}  // namespace front
namespace middle {
void register_all(PassRegistry& registry);
}
namespace object_detection {
void register_all(PassRegistry& registry);
}
namespace back {
void register_all(PassRegistry& registry);
}

void register_builtins(Registry& registry, std::string_view framework) {
  register_builtin_ops(registry.ops());
  ops::register_all(registry.ops());
  if (framework.empty() || framework == "onnx") {
    onnx::register_frontend(registry);
    front::onnx::register_all(registry.passes());
  }
  if (framework.empty() || framework == "tf") {
    tensorflow::register_frontend(registry);
    front::tensorflow::register_all(registry.passes());
  }
  if (framework.empty() || framework == "caffe") {
    caffe::register_frontend(registry);
    front::caffe::register_all(registry.passes());
  }
  middle::register_all(registry.passes());
  back::register_all(registry.passes());
  object_detection::register_all(registry.passes());
}

}  // namespace mo
