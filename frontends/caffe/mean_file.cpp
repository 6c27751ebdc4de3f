#include "frontends/caffe/mean_file.hpp"

#include "frontends/caffe/blob_reader.hpp"
#include "frontends/common/file_kind.hpp"

namespace mo::caffe {
namespace {

Expected<Tensor> read_image(const std::string& path) {
  MO_ASSIGN(FilePtr file, File::open(path));
  MO_ASSIGN(std::optional<frontends::NotBinaryModel> problem, frontends::why_not_binary_model(file));
  if (problem) return std::move(problem->reason);
  frontends::WireSource source(std::move(file));
  frontends::WireField whole;
  whole.type = frontends::WireType::bytes;
  whole.size = source.size();
  MO_ASSIGN(const Tensor blob, read_blob(source, whole, "the mean image"));
  // [1, channels, height, width] in the older form, [channels, height, width] in the current one.
  Shape shape = blob.shape();
  while (shape.size() > 3 && shape.front() == 1) shape.erase(shape.begin());
  if (shape.size() != 3)
    return error("MO-CAFFE-0050", "the mean image has the shape {}, which is not that of an image",
                 to_string(blob.shape()))
        .hint("a mean image has channels, height and width; for one number per channel use --mean_values");
  return blob.reshaped(std::move(shape));
}

}  // namespace

Expected<Tensor> read_mean_image(const std::string& path) {
  auto image = read_image(path);
  if (!image) return std::move(image).error().in_file(path);
  return image;
}

}  // namespace mo::caffe
