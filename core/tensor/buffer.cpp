#include "core/tensor/buffer.hpp"

#include <cstdlib>

namespace mo {

void HeapBuffer::Free::operator()(std::byte* p) const { std::free(p); }

Expected<std::shared_ptr<HeapBuffer>> HeapBuffer::allocate(std::uint64_t size, Content content) {
  std::shared_ptr<HeapBuffer> buffer(new HeapBuffer);
  // calloc: zero pages of a large block come from the kernel untouched.
  if (size > 0) {
    buffer->data_.reset(static_cast<std::byte*>(content == Content::zeros ? std::calloc(size, 1) : std::malloc(size)));
    if (!buffer->data_)
      return error("MO-CORE-0001", "no memory for a tensor of {} bytes", size).hint("give the process more memory, or check the shapes of the model");
  }
  buffer->size_ = size;
  return buffer;
}

Expected<BufferPtr> FileBuffer::create(FilePtr file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file->size() || size > file->size() - offset)
    return error("MO-IO-0004", "{} bytes at offset {} lie outside of \"{}\" ({} bytes)", size, offset, file->path(), file->size())
        .hint("the file is truncated, or it belongs to another model");
  return BufferPtr(new FileBuffer(FileRange{std::move(file), offset, size}));
}

Expected<BufferPtr> FileBuffer::load() const {
  MO_ASSIGN(std::shared_ptr<HeapBuffer> heap, HeapBuffer::allocate(range_.size, HeapBuffer::Content::any));
  MO_TRY(range_.file->read(range_.offset, {heap->mutable_bytes(), heap->size()}));
  return BufferPtr(std::move(heap));
}

}  // namespace mo
