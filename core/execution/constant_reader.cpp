#include "core/execution/constant_reader.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/support/budget.hpp"

namespace mo {
namespace {

/// What was loaded as a whole for rows that are still under way while others are loaded: weights of a network take
/// turns in the same memory.
constexpr std::uint64_t kMostUnderWay = std::uint64_t{1} << 20;

}  // namespace

Expected<ConstantReader> ConstantReader::open(Tensor tensor) {
  ConstantReader reader;
  MO_ASSIGN(std::optional<RecipeRows> rows, RecipeRows::open(tensor));
  if (rows) reader.rows_ = std::make_shared<const RecipeRows>(std::move(*rows));
  if (!reader.rows_ && !tensor.buffer()->file_range()) { MO_ASSIGN(tensor, tensor.load()); }
  reader.tensor_ = std::move(tensor);
  return reader;
}

Expected<void> ConstantReader::read(std::uint64_t offset, std::span<std::byte> out) const {
  MO_ASSERT(offset <= size() && out.size() <= size() - offset, "reading beyond a constant");
  if (const FileRange* range = tensor_.buffer()->file_range())
    return range->file->read(range->offset + tensor_.offset() + offset, out);
  if (!rows_) {
    if (!out.empty()) std::memcpy(out.data(), tensor_.bytes().data() + offset, out.size());
    return {};
  }
  while (!out.empty()) {
    const auto first = static_cast<std::int64_t>(offset / rows_->row_bytes());
    const std::uint64_t skipped = offset % rows_->row_bytes();
    const auto wanted = static_cast<std::int64_t>((skipped + out.size() + rows_->row_bytes() - 1) / rows_->row_bytes());
    MO_ASSIGN(const Tensor rows, rows_->load(first, std::min(wanted, rows_->piece_rows())));
    const std::size_t got = std::min<std::size_t>(out.size(), rows.byte_size() - skipped);
    std::memcpy(out.data(), rows.bytes().data() + skipped, got);
    offset += got;
    out = out.subspan(got);
  }
  return {};
}

Expected<void> ConstantReader::append_to(OutputFile& out, const Describe& describe) const {
  if (!rows_) {
    const FileRange* range = tensor_.buffer()->file_range();
    auto done = range ? out.copy(*range->file, range->offset + tensor_.offset(), size())
                      : out.write(tensor_.bytes(), tensor_.buffer());
    return done ? std::move(done) : describe(std::move(done).error());
  }
  for (std::int64_t first = 0; first < rows_->row_count();) {
    const std::int64_t count = std::min(rows_->piece_rows(), rows_->row_count() - first);
    const std::uint64_t bytes = rows_->row_bytes() * static_cast<std::uint64_t>(count);
    MO_TRY(spend(bytes));
    MO_TRY(out.write_later(bytes, [rows = rows_, first, count, describe]() -> Expected<Stretch> {
      auto made = rows->load(first, count);
      if (!made) return describe(std::move(made).error());
      return Stretch{made->bytes(), made->buffer()};
    }));
    first += count;
  }
  return rows_->whole_bytes() > kMostUnderWay ? out.written() : Expected<void>();
}

}  // namespace mo
