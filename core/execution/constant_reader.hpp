#pragma once

#include <functional>
#include <memory>

#include "core/execution/recipe_rows.hpp"
#include "core/files/output_file.hpp"

namespace mo {

/// The bytes of a constant, in any order and without having all of them in memory when they need not be: a stretch of a
/// file is read, and what is computed element by element is computed for the rows that are asked for.
class ConstantReader {
 public:
  /// Errors: those of loading what is needed as a whole.
  static Expected<ConstantReader> open(Tensor tensor);

  std::uint64_t size() const { return tensor_.byte_size(); }
  /// Fills `out` from `offset`; the stretch lies inside (asserted). Errors: those of reading and evaluating.
  Expected<void> read(std::uint64_t offset, std::span<std::byte> out) const;
  /// Says which constant an error belongs to.
  using Describe = std::function<Error(Error)>;
  static Error own_words(Error error) { return error; }
  /// Appends all bytes, some of them later (OutputFile::write_later). Errors: those of reading, evaluating and writing;
  /// those of this constant go through `describe`, also when a later call returns them.
  Expected<void> append_to(OutputFile& out, const Describe& describe = own_words) const;

 private:
  Tensor tensor_;  ///< in a file or in memory, unless there are rows
  std::shared_ptr<const RecipeRows> rows_;
};

}  // namespace mo
