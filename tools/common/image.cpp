#include "tools/common/image.hpp"

#if __has_include(<stb/stb_image.h>)
#define MO_HAS_IMAGES 1
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_FAILURE_USERMSG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop
#else
#define MO_HAS_IMAGES 0
#endif

#include <limits>
#include <memory>
#include <vector>

namespace mo::tools {
namespace {

#if MO_HAS_IMAGES

struct Free {
  void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

Diagnostic unreadable(const std::string& path) {
  const char* const reason = stbi_failure_reason();
  return error("MO-RUN-0011", "the picture cannot be read: {}", reason ? reason : "unknown reason")
      .hint("give a PNG or JPEG file")
      .in_file(path);
}

Expected<std::vector<stbi_uc>> content(const std::string& path) {
  MO_ASSIGN(const FilePtr file, File::open(path));
  if (file->size() > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    return error("MO-RUN-0011", "the picture cannot be read: the file is too large")
        .hint("give a PNG or JPEG file")
        .in_file(path);
  std::vector<stbi_uc> bytes(file->size());
  MO_TRY(file->read(0, std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

#else

Diagnostic unreadable(const std::string& path) {
  return error("MO-RUN-0011", "this mo was built without the reader of pictures")
      .hint("convert the picture to .npy, or build mo where libstb-dev is installed")
      .in_file(path);
}

#endif

}  // namespace

#if MO_HAS_IMAGES

Expected<Shape> image_size(const std::string& path) {
  MO_ASSIGN(const auto bytes, content(path));
  int width = 0;
  int height = 0;
  int channels = 0;
  if (!stbi_info_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels))
    return unreadable(path);
  return Shape{height, width};
}

Expected<Tensor> read_image(const std::string& path, int channels) {
  MO_ASSIGN(const auto bytes, content(path));
  int width = 0;
  int height = 0;
  int stored = 0;
  const std::unique_ptr<stbi_uc, Free> pixels(
      stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &stored, channels));
  if (!pixels) return unreadable(path);
  MO_ASSIGN(Tensor image, Tensor::allocate(ElementType::u8, {height, width, channels}, HeapBuffer::Content::any));
  std::memcpy(image.mutable_bytes().data(), pixels.get(), image.byte_size());
  return image;
}

#else

Expected<Shape> image_size(const std::string& path) { return unreadable(path); }
Expected<Tensor> read_image(const std::string& path, int) { return unreadable(path); }

#endif

}  // namespace mo::tools
