#include "tools/common/accelerated.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <type_traits>

#include "core/op/kernel_table.hpp"
#include "core/support/log.hpp"
#include "core/support/static_program.hpp"
#include "ops/convolution.hpp"
#include "ops/mat_mul.hpp"
#include "tools/common/program_place.hpp"

namespace mo::tools {
namespace {

constexpr const char* kLibrary = "libmo_accelerated.so";
constexpr const char* kEntry = "mo_accelerated_kernels";
constexpr const char* kLeast = "MO_ACCELERATED_LEAST";  ///< environment variable: multiply-adds that pay

/// How often OpenMP's threads look for work before they sleep: some microseconds, the time between two operations. By
/// default it is milliseconds: on a machine with shared processors they take those from threads that have work, and a
/// run takes three times as long.
constexpr const char* kSpins = "2000";

/// Multiply-adds that pay: oneDNN compiles code for the sizes that it meets and rearranges data, and loading it takes
/// some milliseconds as well. Ten convolutions of 530 million (fns_candy) take 145 ms with it and 135 ms without, eight
/// times as large ones 1.10 s and 1.16 s.
constexpr std::int64_t kUsualLeast = 600'000'000;

/// Empty when there is none.
std::filesystem::path find_library() {
  if (is_static_program()) return {};
  // Only from where it was built or installed to: never from the current folder or LD_LIBRARY_PATH.
  const std::filesystem::path program = program_folder();
  const std::filesystem::path library = library_folder();
  for (const std::filesystem::path& place : {program / kLibrary, program.parent_path() / "lib" / "mo" / kLibrary,
                                             library / "mo" / kLibrary, library.parent_path() / "mo" / kLibrary}) {
    std::error_code ignored;
    if (place.is_absolute() && std::filesystem::exists(place, ignored)) return place;
  }
  log::info("accelerated kernels are not used: there is no {} beside the program", kLibrary);
  return {};
}

KernelTable load() {
  KernelTable table;
  const std::filesystem::path place = find_library();
  void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = ::dlerror();
    log::info("accelerated kernels are not used: {}", reason != nullptr ? reason : "unknown reason");
    return table;
  }
  using Entry = void (*)(KernelTable*);
  if (const auto entry = reinterpret_cast<Entry>(::dlsym(library, kEntry)))
    entry(&table);
  else
    log::info("accelerated kernels are not used: {} has no {}", place.string(), kEntry);
  return table;
}

const KernelTable& library_kernels() {
  static const KernelTable table = load();
  return table;
}

// Multiply-adds of an op: each element of one tensor meets as many as one output (or for the gradient input) channel
// has weights.
std::int64_t operations_of(const ops::MatMul& op, EvalContext& ctx) {
  const Shape& a = ctx.input(0).shape();
  return ctx.output(0).element_count() * a[a.size() - (op.transpose_a && a.size() > 1 ? 2 : 1)];
}
std::int64_t operations_of_convolution(const Tensor& each, const Tensor& filters) {
  return each.element_count() == 0 ? 0 : each.element_count() * (filters.element_count() / each.shape()[1]);
}
template <class Op>
std::int64_t operations_of(const Op&, EvalContext& ctx) {
  constexpr bool transposed =
      std::is_same_v<Op, ops::ConvolutionBackpropData> || std::is_same_v<Op, ops::GroupConvolutionBackpropData>;
  return operations_of_convolution(transposed ? ctx.input(0) : ctx.output(0), ctx.input(1));
}

/// The library comes with the first op that pays.
template <class Op>
Expected<bool> run_when_it_pays(const void* payload, EvalContext& ctx) {
  static const std::int64_t least = [] {
    const char* const given = std::getenv(kLeast);
    return given ? std::strtoll(given, nullptr, 10) : kUsualLeast;
  }();
  const ElementType type = ctx.input(0).element_type();
  if (!is_real(type) || type == ElementType::f64 || operations_of(*static_cast<const Op*>(payload), ctx) < least)
    return false;
  const KernelTable::Kernel kernel = library_kernels().find(OpType::of<Op>());
  return kernel ? kernel(payload, ctx) : false;
}

}  // namespace

const KernelTable* accelerated_kernels(int threads) {
  // OpenMP, which comes with the library, reads both when it is loaded. What the user has set counts.
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) setenv("GOMP_SPINCOUNT", kSpins, 0);
  if (threads > 0) setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  static const KernelTable table = [] {
    KernelTable made;
    if (find_library().empty()) return made;
    made.add(OpType::of<ops::MatMul>(), run_when_it_pays<ops::MatMul>);
    made.add(OpType::of<ops::Convolution>(), run_when_it_pays<ops::Convolution>);
    made.add(OpType::of<ops::GroupConvolution>(), run_when_it_pays<ops::GroupConvolution>);
    made.add(OpType::of<ops::ConvolutionBackpropData>(), run_when_it_pays<ops::ConvolutionBackpropData>);
    made.add(OpType::of<ops::GroupConvolutionBackpropData>(), run_when_it_pays<ops::GroupConvolutionBackpropData>);
    return made;
  }();
  return &table;
}

}  // namespace mo::tools
