#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/pass/pass.hpp"

/// Changes of element types throughout a model.
namespace mo::transformations {

/// Runtime attributes by which passes keep numbers at their precision; the spelling of the second is nGraph's.
inline constexpr std::string_view kDecompression = "decompression";
inline constexpr std::string_view kKeepConstPrecision = "keep_const_precision";
inline constexpr std::string_view kNoHalfCompression = "disable_fp16_compression";
inline constexpr std::string_view kKeptDivide = "nonconvertable_divide";

bool has_mark(const Node& node, std::string_view attribute);

struct TypeChange {
  ElementType from = ElementType::dynamic;
  ElementType to = ElementType::dynamic;
};

/// Every tensor of type `from`, in the graph and all bodies inside, becomes one of type `to`: constants are converted
/// (what the new type cannot hold is clipped when it is the smaller one), inputs and ops that name the type get the
/// other one, and Converts that change nothing any more vanish. An op whose type its definition fixes gets a Convert
/// after it; booleans that ops make stay what they are, only inputs of the model change. Types of the whole graph are
/// inferred. Errors: those of inference, where an op cannot have the new type.
Expected<bool> change_types(Graph& graph, std::span<const TypeChange> changes, PassContext& context);

}  // namespace mo::transformations
