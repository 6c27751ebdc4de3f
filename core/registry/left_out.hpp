#pragma once

#include <string>
#include <vector>

#include "core/pass/pass.hpp"
#include "core/registry/operator_table.hpp"
#include "core/registry/pass_registry.hpp"

/// What a build with MO_SELECTIVE registers in the place of drop-in files that it leaves out (docs/selective_build.md).
namespace mo {

/// The operator is known in these versions, and every node of them is an error, MO-FRONT-0012. Another file may have
/// the other versions.
void leave_out(OperatorTable& operators, std::string op, VersionRange versions);

/// A pass of that name and place in the order, which does nothing. Where the user has to ask for it: error MO-PASS-0031
/// when it runs.
struct LeftOutPass {
  std::string name;
  Phase phase = Phase::middle;
  bool enabled = true;
  std::vector<std::string> after;
  std::vector<std::string> before;
};
void leave_out(PassRegistry& passes, LeftOutPass pass);

}  // namespace mo
