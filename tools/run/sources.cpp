#include "tools/run/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "core/tensor/convert.hpp"
#include "core/tensor/permute.hpp"
#include "tools/common/image.hpp"
#include "tools/common/npy.hpp"
#include "tools/common/npz.hpp"
#include "tools/common/random_inputs.hpp"

namespace mo::tools {
namespace {

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return ending;
}

bool is_picture(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

/// The seed of "random:7"; nothing for other sources.
std::optional<unsigned> seed_of(std::string_view source) {
  constexpr std::string_view kWord = "random";
  if (source == kWord) return 0;
  if (!source.starts_with("random:")) return std::nullopt;
  const std::string_view digits = source.substr(kWord.size() + 1);
  unsigned seed = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  return problem == std::errc() && end == digits.data() + digits.size() && !digits.empty() ? std::optional(seed)
                                                                                           : std::nullopt;
}

Expected<Tensor> read_from_archive(const Node& parameter, const std::string& path) {
  MO_ASSIGN(const std::vector<std::string> names, names_in_npz(path));
  std::vector<std::string> wanted = {std::string(parameter.name())};
  for (const std::string_view name : parameter.output().data().tensor_names()) wanted.emplace_back(name);
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) != names.end()) return read_npz(path, name);
  return read_npz(path, names.size() == 1 ? names.front() : wanted.front());
}

/// How a picture can lie in an input.
struct Placing {
  Shape shape;
  bool channels_first = false;
  int channels = 3;
};

std::optional<Placing> placing_in(const PartialShape& wanted, const Shape& size) {
  const std::int64_t rank = wanted.rank().value_or(4);
  for (const bool first : {true, false})
    for (const int channels : {3, 1, 4}) {
      Shape shape = first ? Shape{channels, size[0], size[1]} : Shape{size[0], size[1], channels};
      if (rank == 2 && channels == 1) shape = size;
      if (rank == 4) shape.insert(shape.begin(), 1);
      if (static_cast<std::int64_t>(shape.size()) == rank && wanted.compatible(PartialShape(shape)))
        return Placing{shape, first, channels};
    }
  return std::nullopt;
}

Expected<Tensor> read_picture(const Node& parameter, const std::string& path) {
  const Parameter& declared = *parameter.as<Parameter>();
  MO_ASSIGN(const Shape size, image_size(path));
  const auto placing = placing_in(declared.shape, size);
  if (!placing)
    return error("MO-RUN-0012", "input '{}' wants shape {}, the picture has {} rows of {} pixels", parameter.name(),
                 declared.shape.to_string(), size[0], size[1])
        .hint("resize the picture: mo run does not")
        .in_file(path);
  MO_ASSIGN(Tensor image, read_image(path, placing->channels));
  if (placing->channels_first) { MO_ASSIGN(image, permuted(image, {2, 0, 1})); }
  image = image.reshaped(placing->shape);
  return declared.element_type == ElementType::dynamic ? image : convert(image, declared.element_type);
}

Expected<Tensor> generate(const Graph& graph, std::size_t index, const std::string& source) {
  const Node parameter = graph.parameters()[index];
  const Parameter& declared = *parameter.as<Parameter>();
  const auto shape = declared.shape.to_shape();
  const bool has_numbers =
      declared.element_type != ElementType::string && declared.element_type != ElementType::dynamic;
  if (!shape || !has_numbers)
    return error("MO-RUN-0013", "input '{}' is {}: nothing can be made up for it", parameter.name(),
                 TensorType{declared.element_type, declared.shape}.to_string())
        .hint(
            "say its shape: --input_shape, or --input NAME[1,3,224,224] of a conversion; texts must come from a file");
  const auto seed = seed_of(source);
  if (!seed) return Tensor::allocate(declared.element_type, *shape);
  MO_ASSIGN(std::vector<Tensor> numbers, random_inputs(graph, *seed));
  return std::move(numbers[index]);
}

}  // namespace

bool is_generated(std::string_view source) { return source == "zeros" || seed_of(source).has_value(); }

Expected<std::vector<std::string>> expand_archives(const std::vector<std::string>& arguments) {
  std::vector<std::string> expanded;
  for (const std::string& argument : arguments) {
    std::error_code ignored;
    if (ending_of(argument) != ".npz" || !std::filesystem::exists(argument, ignored)) {
      expanded.push_back(argument);
      continue;
    }
    MO_ASSIGN(const std::vector<std::string> names, names_in_npz(argument));
    for (const std::string& name : names) expanded.push_back(fmt::format("{}={}", name, argument));
  }
  return expanded;
}

Expected<Tensor> read_source(const Graph& graph, std::size_t index, const std::string& source) {
  if (is_generated(source)) return generate(graph, index, source);
  const Node parameter = graph.parameters()[index];
  if (is_picture(source)) return read_picture(parameter, source);
  return ending_of(source) == ".npz" ? read_from_archive(parameter, source) : read_npy(source);
}

}  // namespace mo::tools
