#include "ops/accelerated/engine.hpp"

namespace mo::ops::accelerated {

const dnnl::engine& engine() {
  // Never destroyed: primitives may outlive static destructors of this library.
  static const auto* const cpu = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *cpu;
}

dnnl::stream& stream() {
  static auto* const in_order = new dnnl::stream(engine());
  return *in_order;
}

dnnl::memory::desc plain(const dnnl::memory::dims& dims) {
  dnnl::memory::dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return {dims, dnnl::memory::data_type::f32, strides};
}

dnnl::memory::desc any(const dnnl::memory::dims& dims) {
  return {dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

dnnl::memory view(const dnnl::memory::desc& desc, const Tensor& tensor) {
  return {desc, engine(), const_cast<float*>(tensor.values<float>().data())};
}

dnnl::memory view(const dnnl::memory::desc& desc, Tensor& tensor) {
  return {desc, engine(), tensor.mutable_values<float>().data()};
}

dnnl::memory arranged(const dnnl::memory& source, const dnnl::memory::desc& wanted) {
  if (source.get_desc() == wanted) return source;
  dnnl::memory from = source;
  dnnl::memory copy(wanted, engine());
  dnnl::reorder(from, copy).execute(stream(), from, copy);
  return copy;
}

}  // namespace mo::ops::accelerated
