#include "core/registry/left_out.hpp"

namespace mo {
namespace {

constexpr std::string_view kHint =
    "use a mo that was built without MO_SELECTIVE, or record the usage with this model as well and build again";

}  // namespace

void leave_out(OperatorTable& operators, std::string op, VersionRange versions) {
  operators.refuse(op, versions, [op](const FrameworkNode&) -> Expected<Op> {
    return error("MO-FRONT-0012", "op {} was left out of this build", op).hint("{}", kHint);
  });
}

void leave_out(PassRegistry& passes, LeftOutPass pass) {
  Pass made;
  made.name = std::move(pass.name);
  made.phase = pass.phase;
  made.enabled = pass.enabled;
  made.after = std::move(pass.after);
  made.before = std::move(pass.before);
  made.into_bodies = false;
  made.run = [name = made.name, enabled = made.enabled](Graph&, PassContext&) -> Expected<bool> {
    if (enabled) return false;
    return error("MO-PASS-0031", "{} was left out of this build", name).hint("{}", kHint);
  };
  passes.add(std::move(made));
}

}  // namespace mo
