#include "core/execution/constant_reader.hpp"

#include <algorithm>
#include <cstring>

namespace mo {

Expected<ConstantReader> ConstantReader::open(Tensor tensor) {
  ConstantReader reader;
  MO_ASSIGN(reader.rows_, RecipeRows::open(tensor));
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

Expected<void> ConstantReader::append_to(OutputFile& out) const {
  if (const FileRange* range = tensor_.buffer()->file_range())
    return out.copy(*range->file, range->offset + tensor_.offset(), size());
  if (!rows_) return out.write(tensor_.bytes(), tensor_.buffer());
  for (std::int64_t first = 0; first < rows_->row_count();) {
    const std::int64_t count = std::min(rows_->piece_rows(), rows_->row_count() - first);
    MO_ASSIGN(const Tensor rows, rows_->load(first, count));
    MO_TRY(out.write(rows.bytes(), rows.buffer()));
    first += count;
  }
  return {};
}

}  // namespace mo
