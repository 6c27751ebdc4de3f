#pragma once

#include <optional>

#include "frontends/caffe/net.hpp"

/// The older forms of a Caffe net: V1 (`layers` with enumerated types) and V0 (`layers { layer { type: "conv" } }`).
namespace mo::caffe {

/// How a layer is written.
enum class Form : std::int64_t {
  current,  ///< layer { type: "Convolution" }
  v1,       ///< layers { type: CONVOLUTION }
  v0,       ///< layers { layer { type: "conv" } }
};

/// "Convolution" of CONVOLUTION and of 4; nothing when there is no such type. V1LayerParameter.LayerType.
std::optional<std::string_view> type_of_v1(std::string_view enumerator);
std::optional<std::string_view> type_of_v1(std::int64_t number);
/// "Convolution" of "conv"; nothing when there is no such type. V0LayerParameter.type.
std::optional<std::string_view> type_of_v0(std::string_view type);

// The other way round: what the old forms say for a type of the current one; nothing when they have no such layer.
std::optional<std::string_view> v1_enumerator_of(std::string_view type);
std::optional<std::int64_t> v1_number_of(std::string_view type);
std::optional<std::string_view> v0_type_of(std::string_view type);
/// The flat parameter of a V0 layer of `type` that became `path`; nothing when there is none.
std::optional<std::string_view> v0_parameter_of(std::string_view type, std::string_view path);

/// Puts the flat parameters of a V0 layer where the current form has them: num_output -> convolution_param.num_output.
void upgrade_v0_parameters(NetLayer& layer, const AttributeMap& flat);

/// V0 padding layers become padding of the layers that read them. Error MO-CAFFE-0014 when such a reader has no
/// padding.
Expected<void> fold_v0_padding(std::vector<NetLayer>& layers);

/// Type of a V0 padding layer, which the current form has no name for.
inline constexpr std::string_view kV0Padding = "padding";

}  // namespace mo::caffe
