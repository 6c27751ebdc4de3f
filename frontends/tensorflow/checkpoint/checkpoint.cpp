#include "frontends/tensorflow/checkpoint/checkpoint.hpp"

#include <algorithm>

#include "core/support/nearest.hpp"
#include "frontends/tensorflow/checkpoint/bundle.hpp"
#include "frontends/tensorflow/checkpoint/saved_slices.hpp"

namespace mo::tensorflow {
namespace {

/// A measure of how little a key is like another, and the key.
using Ranked = std::vector<std::pair<std::size_t, const std::string*>>;

/// Letters that two words have in common at their ends.
std::size_t common_ends(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t front = 0;
  while (front < most && a[front] == b[front]) ++front;
  std::size_t back = 0;
  while (front + back < most && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  return front + back;
}

void keep_best(Ranked& ranked, std::size_t count) {
  count = std::min(count, ranked.size());
  std::partial_sort(
      ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count), ranked.end(),
      [](const auto& a, const auto& b) { return a.first != b.first ? a.first < b.first : *a.second < *b.second; });
  ranked.resize(count);
}

}  // namespace

Expected<std::unique_ptr<Checkpoint>> Checkpoint::open(const std::string& prefix, DiagnosticSink& sink, Links links) {
  MO_ASSIGN(CheckpointPlace place, find_checkpoint(prefix, sink, links));
  if (place.format == CheckpointPlace::Format::bundle) return open_bundle(place);
  return open_saved_slices(place);
}

Expected<Tensor> Checkpoint::read_slice(std::string_view key, const SliceSpec& slice) const {
  MO_ASSIGN(const TensorType type, type_of(key));
  Shape shape = slice.shape;
  // Complex numbers: the trailing dimension is ours.
  if (type.shape.size() == shape.size() + 1 && type.shape.dims().back() == Dimension(2)) shape.push_back(2);
  if (type.shape != PartialShape(shape) && type.shape != PartialShape(slice.shape))
    return wrong_slice(key, type, slice.extents);
  return read_slice(key, slice.extents);
}

Diagnostic Checkpoint::missing_key(std::string_view key) const {
  constexpr std::size_t kMostCandidates = 2'000;
  constexpr std::size_t kLongestName = 400;
  auto missing = error("MO-TF-0418", "the checkpoint has no tensor '{}'", key.substr(0, kLongestName));
  const std::vector<std::string> all = keys();
  if (all.empty()) return std::move(missing).hint("the checkpoint is empty");
  if (key.size() > kLongestName)
    return std::move(missing).hint("the checkpoint belongs to another model, or to another version of it");
  // Of very many keys, those that begin and end most like it are compared letter by letter.
  Ranked ranked;
  for (const std::string& candidate : all)
    if (candidate.size() <= kLongestName) ranked.emplace_back(kLongestName - common_ends(key, candidate), &candidate);
  keep_best(ranked, kMostCandidates);
  for (auto& [distance, candidate] : ranked) distance = edit_distance(key, *candidate);
  keep_best(ranked, 3);
  std::string nearest_keys;
  for (std::size_t i = 0; i < ranked.size(); ++i)
    nearest_keys += fmt::format("{}'{}'", i ? ", " : "", *ranked[i].second);
  return std::move(missing).hint("nearest of its {} keys: {}; does the checkpoint belong to this model?", all.size(),
                                 nearest_keys);
}

Diagnostic Checkpoint::wrong_slice(std::string_view key, const TensorType& type, const std::vector<Extent>& slice) {
  return error("MO-TF-0419",
               "slice {} does not lie in tensor '{}' {} of the checkpoint, or was taken from another shape",
               to_string(slice), key.substr(0, 400), type.to_string())
      .hint("the checkpoint belongs to another version of the model");
}

}  // namespace mo::tensorflow
