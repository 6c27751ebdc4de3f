#include "graph_transforms/support/type_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace mo::graph_transforms {
namespace {

struct Row {
  std::string_view name;
  ElementType type;          ///< dynamic: it has none
  std::string_view numeral;  ///< what TensorFlow's enumeration calls it
};

constexpr std::array kRows = {
    Row{"float", ElementType::f32, "DT_FLOAT"},
    Row{"float32", ElementType::f32, "DT_FLOAT"},
    Row{"double", ElementType::f64, "DT_DOUBLE"},
    Row{"float64", ElementType::f64, "DT_DOUBLE"},
    Row{"half", ElementType::f16, "DT_HALF"},
    Row{"float16", ElementType::f16, "DT_HALF"},
    Row{"bfloat16", ElementType::bf16, "DT_BFLOAT16"},
    Row{"int8", ElementType::i8, "DT_INT8"},
    Row{"int16", ElementType::i16, "DT_INT16"},
    Row{"int32", ElementType::i32, "DT_INT32"},
    Row{"int64", ElementType::i64, "DT_INT64"},
    Row{"uint8", ElementType::u8, "DT_UINT8"},
    Row{"uint16", ElementType::u16, "DT_UINT16"},
    Row{"uint32", ElementType::u32, "DT_UINT32"},
    Row{"uint64", ElementType::u64, "DT_UINT64"},
    Row{"bool", ElementType::boolean, "DT_BOOL"},
    Row{"string", ElementType::string, "DT_STRING"},
    Row{"complex64", ElementType::dynamic, "DT_COMPLEX64"},
    Row{"qint8", ElementType::dynamic, "DT_QINT8"},
    Row{"complex128", ElementType::dynamic, "DT_COMPLEX128"},
    Row{"qint16", ElementType::dynamic, "DT_QINT16"},
    Row{"qint32", ElementType::dynamic, "DT_QINT32"},
    Row{"quint8", ElementType::dynamic, "DT_QUINT8"},
    Row{"quint16", ElementType::dynamic, "DT_QUINT16"},
    Row{"resource", ElementType::dynamic, "DT_RESOURCE"},
    Row{"variant", ElementType::dynamic, "DT_VARIANT"},
};

}  // namespace

Expected<AttributeValue> type_named(std::string_view text) {
  constexpr std::string_view kReference = "_ref";
  const bool is_reference = text.ends_with(kReference);
  const std::string_view name = is_reference ? text.substr(0, text.size() - kReference.size()) : text;
  const auto found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.name == name; });
  if (found == kRows.end())
    return error("MO-GTT-0015", "Couldn't understand type argument \"{}\"", text)
        .hint("types are float, half, double, int32, int64, uint8, quint8, bool, string …");
  if (is_reference) return AttributeValue(std::string(found->numeral) + "_REF");
  if (found->type == ElementType::dynamic) return AttributeValue(found->numeral);
  return AttributeValue(found->type);
}

Expected<PartialShape> shape_named(std::string_view text) {
  std::vector<Dimension> dims;
  const auto wrong = [&] {
    return error("MO-GTT-0016", "\"{}\" is not a shape", text)
        .hint("write dimensions with commas between them, in quotes: shape=\"1,299,299,3\"");
  };
  std::string_view rest = text;
  for (;;) {
    std::string_view piece = rest.substr(0, rest.find(','));
    const std::size_t taken = piece.size();
    while (piece.starts_with(' ')) piece.remove_prefix(1);
    while (piece.ends_with(' ')) piece.remove_suffix(1);
    std::int64_t size = -1;
    if (piece != "?") {
      const auto [end, cause] = std::from_chars(piece.data(), piece.data() + piece.size(), size);
      if (piece.empty() || cause != std::errc() || end != piece.data() + piece.size() || size < -1 ||
          size == Dimension::kNoLimit)
        return wrong();
    }
    dims.push_back(size == -1 ? Dimension() : Dimension(size));
    if (taken == rest.size()) return PartialShape(std::move(dims));
    rest.remove_prefix(taken + 1);
  }
}

}  // namespace mo::graph_transforms
