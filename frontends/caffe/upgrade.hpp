#pragma once

#include <optional>

#include "frontends/caffe/net.hpp"

/// The older forms of a Caffe net: V1 (`layers` with enumerated types) and V0 (`layers { layer { type: "conv" } }`).
namespace mo::caffe {

/// "Convolution" of CONVOLUTION and of 4; nothing when there is no such type. V1LayerParameter.LayerType.
std::optional<std::string_view> type_of_v1(std::string_view enumerator);
std::optional<std::string_view> type_of_v1(std::int64_t number);
/// "Convolution" of "conv"; nothing when there is no such type. V0LayerParameter.type.
std::optional<std::string_view> type_of_v0(std::string_view type);

/// Puts the flat parameters of a V0 layer where the current form has them: num_output -> convolution_param.num_output.
void upgrade_v0_parameters(NetLayer& layer, const AttributeMap& flat);

/// V0 padding layers become padding of the layers that read them. Error MO-CAFFE-0014 when such a reader has no padding.
Expected<void> fold_v0_padding(std::vector<NetLayer>& layers);

/// Type of a V0 padding layer, which the current form has no name for.
inline constexpr std::string_view kV0Padding = "padding";

}  // namespace mo::caffe
