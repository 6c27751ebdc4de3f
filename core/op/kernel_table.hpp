#pragma once

#include <map>
#include <string>
#include <utility>

#include "core/op/eval_context.hpp"

namespace mo {

/// Faster implementations of `evaluate` for some ops, by IR type; used by the executor, never by folding. A kernel that
/// does not take a case returns false and leaves it to the op's own `evaluate`.
class KernelTable {
 public:
  using Kernel = Expected<bool> (*)(const void* op, EvalContext& ctx);
  void add(const OpType& type, Kernel kernel) { kernels_[{std::string(type.name), type.version}] = kernel; }
  Kernel find(const OpType& type) const {
    const auto it = kernels_.find({std::string(type.name), type.version});
    return it == kernels_.end() ? nullptr : it->second;
  }

 private:
  std::map<std::pair<std::string, int>, Kernel> kernels_;
};

}  // namespace mo
