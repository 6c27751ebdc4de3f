#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/diagnostic.hpp"
#include "core/tensor/tensor.hpp"
#include "frontends/tensorflow/checkpoint/slice_spec.hpp"

namespace mo::tensorflow {

/// The values of variables as TensorFlow saves them: a bundle (V2: an index and shards of data) or tables of slices
/// (V1). Only the names are kept in memory. Tensors are ranges of the files, which they keep open; the checksums of
/// tensors above 64 KB are not verified, because that means reading them. Not to be used by several threads at once;
/// the tensors are.
class Checkpoint {
 public:
  /// Opens the checkpoint at `prefix` ("model.ckpt-100"), of which one of its files, a `checkpoint` state file or the
  /// folder of one is as good. Errors: MO-TF-0400 … 0413 and MO-TF-0424 (warning), see docs/errors.md.
  static Expected<std::unique_ptr<Checkpoint>> open(const std::string& prefix, DiagnosticSink& sink,
                                                    Links links = Links::refused);

  virtual ~Checkpoint() = default;

  virtual bool contains(std::string_view key) const = 0;
  /// All keys of tensors, sorted by their bytes.
  virtual std::vector<std::string> keys() const = 0;
  /// Errors: MO-TF-0418 (no such key), MO-TF-0421 (resources and variants), MO-TF-0411 (impossible shape).
  virtual Expected<TensorType> type_of(std::string_view key) const = 0;
  /// The whole tensor; its parts are put together when it is stored in several.
  virtual Expected<Tensor> read(std::string_view key) const = 0;
  /// A slice of the tensor, from however it is stored. Error MO-TF-0419: the slice does not lie in the tensor.
  virtual Expected<Tensor> read_slice(std::string_view key, const std::vector<Extent>& slice) const = 0;
  /// The same, and the tensor has the shape that the slice was taken from (error MO-TF-0419).
  Expected<Tensor> read_slice(std::string_view key, const SliceSpec& slice) const;

 protected:
  Checkpoint() = default;
  /// Error MO-TF-0418 with the keys that are most like it.
  Diagnostic missing_key(std::string_view key) const;
  static Diagnostic wrong_slice(std::string_view key, const TensorType& type, const std::vector<Extent>& slice);
};

}  // namespace mo::tensorflow
