#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/files/output_set.hpp"

namespace mo {

/// What a conversion read, for build systems: a rule of make that says on which files its outputs depend, as compilers
/// write it. make, Ninja and CMake read it.
class Depfile {
 public:
  /// Writes the file, which has its name only after `commit`: nothing is left of it when the conversion fails after
  /// all. `outputs`: the targets of the rule, spelled as the build system knows them. Folders among the inputs are left
  /// out: what was read in them is an input by itself. Errors: MO-EMIT-0001 to -0003.
  static Expected<Depfile> write(const std::string& path, const std::vector<std::string>& outputs,
                                 const InputFiles& inputs);
  Expected<void> commit() { return set_->commit(); }

 private:
  explicit Depfile(std::unique_ptr<OutputSet> set) : set_(std::move(set)) {}
  std::unique_ptr<OutputSet> set_;
};

}  // namespace mo
