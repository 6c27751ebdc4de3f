#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/command_line/option_text.hpp"
#include "driver/options.hpp"

/// Readers of the option values that have a grammar of their own (docs/cli.md). Every error shows the value with a
/// caret under the place. All take linear time and none recurses; an empty text means that the option was not given.
namespace mo {

/// A dimension above this is a typing error, not a model: no runtime holds such a tensor.
inline constexpr std::int64_t kMaxDimension = 2147483647;

/// `[port:]name[:port]` → text, and the reading with ports. Numbers of more than 9 digits are part of the name.
PortedName ported_name(std::string_view text);

/// --input: `name`, `name[1 3 ? 2..8]`, `name{f32}`, `name->5`, `0:name[2]{i32}->[1 2]`, separated by commas.
Expected<std::vector<InputSpec>> parse_inputs(std::string_view text);

/// --output: names, separated by commas.
Expected<std::vector<OutputSpec>> parse_outputs(std::string_view text);

/// --input_shape: `[1,3,224,224],(1,-1)`; a dimension is a number, -1 or ? (unknown), a..b, a.. or ..b; `[...]` has
/// unknown rank.
Expected<std::vector<PartialShape>> parse_shapes(std::string_view text);

/// --mean_values and --scale_values (`option` names which): `(1,2,3),[4,5,6]`, `name(1,2,3),other[4]`, or bare `1,2,3`.
Expected<std::vector<ChannelValues>> parse_channel_values(std::string_view option, std::string_view text);

/// --layout, --source_layout and --target_layout (`option` names which): `nhwc`, `nhwc->nchw`,
/// `a(nhwc->nchw),b([n,...])`, `a[n,c]`, `->nchw`; only --layout has arrows. A layout is one letter for each dimension,
/// or words in brackets; `?` has no name, `...` stands for any number.
Expected<std::vector<LayoutSpec>> parse_layouts(std::string_view option, std::string_view text);

/// --freeze_placeholder_with_value: `name->5,other->[1 2 3]`.
Expected<std::vector<FrozenPlaceholder>> parse_frozen_placeholders(std::string_view text);

/// --batch: a number >= 1.
Expected<std::int64_t> parse_batch(std::string_view text);

/// A finite real number, always with '.', whatever the locale.
Expected<double> parse_real(std::string_view option, std::string_view text);

/// --mean_file_offsets: `(x,y)`, two numbers >= 0.
Expected<std::vector<std::int64_t>> parse_offsets(std::string_view option, std::string_view text);

}  // namespace mo
