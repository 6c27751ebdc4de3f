#pragma once

#include <dnnl.hpp>
#include <exception>

#include "core/execution/executor.hpp"
#include "core/op.hpp"
#include "core/op/kernel_table.hpp"
#include "ops/reference/compute.hpp"

namespace mo::ops::accelerated {

/// The CPU engine and its stream, made on first use, alive until the process ends.
const dnnl::engine& engine();
dnnl::stream& stream();

/// Row-major f32 of these sizes.
dnnl::memory::desc plain(const dnnl::memory::dims& dims);
/// f32 of these sizes in whatever layout the primitive likes.
dnnl::memory::desc any(const dnnl::memory::dims& dims);
/// The elements of an f32 tensor, seen as `desc`. oneDNN does not write to inputs.
dnnl::memory view(const dnnl::memory::desc& desc, const Tensor& tensor);
dnnl::memory view(const dnnl::memory::desc& desc, Tensor& tensor);
/// `source` itself, or a copy in the layout `wanted`.
dnnl::memory arranged(const dnnl::memory& source, const dnnl::memory::desc& wanted);

/// What these kernels take: f32, and the half types through f32.
inline bool is_accelerated(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f16 || type == ElementType::bf16;
}

/// Runs `fn`, which returns whether it did the work. Whatever oneDNN throws (a case that it does not implement, no
/// memory) leaves the op to the portable kernel.
template <class Fn>
Expected<bool> guarded(Fn&& fn) {
  try {
    return fn();
  } catch (const std::exception&) { return false; }
}

void add_convolutions(KernelTable& table);
void add_mat_mul(KernelTable& table);

}  // namespace mo::ops::accelerated
