// numpy arrays: what can be read is written, and read again as the same bytes.
#include "tools/common/npy.hpp"

#include <algorithm>

#include "fuzz/harness/check.hpp"
#include "fuzz/harness/scratch.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_npy(std::string_view input) {
  const Scratch& scratch = Scratch::instance();
  const auto tensor = tools::read_npy(scratch.write("in.npy", input));
  if (!done_or_explained(tensor)) return;
  const std::string written = scratch.path("out.npy");
  if (!done_or_explained(tools::write_npy(written, *tensor))) return;
  const auto again = tools::read_npy(written);
  if (!again) finding("an array that we wrote cannot be read: " + again.error().first().format());
  require(again->type() == tensor->type(), "an array changes its type or shape when it is written");
  const auto before = tensor->bytes();
  const auto after = again->bytes();
  require(std::equal(before.begin(), before.end(), after.begin(), after.end()), "an array changes when it is written");
}

}  // namespace mo::fuzz
