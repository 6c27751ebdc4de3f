// numpy arrays: what can be read is written, and read again as the same bytes.
#include "tools/common/npy.hpp"

#include <algorithm>
#include <filesystem>

#include "core/files/output_set.hpp"
#include "fuzz/harness/check.hpp"
#include "fuzz/harness/scratch.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {
namespace {

Expected<void> write_array(const std::filesystem::path& path, const Tensor& tensor) {
  MO_ASSIGN(const std::unique_ptr<OutputSet> set,
            OutputSet::create(path.parent_path().string(), "fuzz", {path.filename().string()}));
  MO_ASSIGN(OutputFile* const file, set->open(0));
  MO_TRY(tools::write_npy(*file, tensor));
  return set->commit();
}

}  // namespace

void run_npy(std::string_view input) {
  const Scratch& scratch = Scratch::instance();
  const auto tensor = tools::read_npy(scratch.write("in.npy", input));
  if (!done_or_explained(tensor)) return;
  const std::string written = scratch.path("out.npy");
  if (!done_or_explained(write_array(written, *tensor))) return;
  const auto again = tools::read_npy(written);
  if (!again) finding("an array that we wrote cannot be read: " + again.error().first().format());
  require(again->type() == tensor->type(), "an array changes its type or shape when it is written");
  const auto before = tensor->bytes();
  const auto after = again->bytes();
  require(std::equal(before.begin(), before.end(), after.begin(), after.end()), "an array changes when it is written");
}

}  // namespace mo::fuzz
