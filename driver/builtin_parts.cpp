#include <algorithm>

#include "driver/builtins.hpp"

#include "frontends/caffe/frontend.hpp"
#include "frontends/onnx/frontend.hpp"
#include "frontends/tensorflow/frontend.hpp"
#include "transformations/catalogue.hpp"

namespace mo {

// Defined by the generated manifests of the drop-in folders.
namespace onnx {
std::span<const Part<OperatorTable>> register_operators_parts();
}
namespace tensorflow {
std::span<const Part<OperatorTable>> register_operators_parts();
}
namespace caffe {
std::span<const Part<OperatorTable>> register_operators_parts();
}
namespace front {
namespace onnx {
void register_all(PassRegistry& registry);
std::span<const Part<PassRegistry>> register_all_parts();
}  // namespace onnx
namespace caffe {
void register_all(PassRegistry& registry);
std::span<const Part<PassRegistry>> register_all_parts();
}  // namespace caffe
namespace tensorflow {
void register_all(PassRegistry& registry);
std::span<const Part<PassRegistry>> register_all_parts();
}  // namespace tensorflow
}  // namespace front
namespace object_detection {
void register_all(PassRegistry& registry);
std::span<const Part<PassRegistry>> register_all_parts();
}  // namespace object_detection
namespace ops {
std::span<const Part<OpRegistry>> register_all_parts();
}

namespace {

constexpr LinkedFrontend kLinked[] = {
#if MO_READS_ONNX
    {"onnx", "frontends/onnx", &onnx::register_frontend, &front::onnx::register_all, &onnx::register_operators_parts,
     &front::onnx::register_all_parts},
#endif
#if MO_READS_TENSORFLOW
    {"tf", "frontends/tensorflow", &tensorflow::register_frontend, &front::tensorflow::register_all,
     &tensorflow::register_operators_parts, &front::tensorflow::register_all_parts},
#endif
#if MO_READS_CAFFE
    {"caffe", "frontends/caffe", &caffe::register_frontend, &front::caffe::register_all,
     &caffe::register_operators_parts, &front::caffe::register_all_parts},
#endif
};

}  // namespace

std::span<const LinkedFrontend> linked_frontends() { return kLinked; }

bool has_frontend(std::string_view framework) {
  return std::any_of(std::begin(kLinked), std::end(kLinked),
                     [&](const LinkedFrontend& linked) { return linked.name == framework; });
}

std::string_view usual_framework() { return kLinked[0].name; }

bool is_selective_build() { return MO_IS_SELECTIVE; }

BuiltinParts builtin_parts() {
  BuiltinParts parts{
      .frontends = {}, .passes = transformations::register_all_parts(), .ops = ops::register_all_parts()};
  for (const LinkedFrontend& linked : kLinked)
    parts.frontends.push_back({linked.name, linked.folder, linked.operator_parts(), linked.pass_parts()});
  const auto replacers = object_detection::register_all_parts();
  parts.passes.insert(parts.passes.end(), replacers.begin(), replacers.end());
  return parts;
}

}  // namespace mo
