#pragma once

#include "frontends/caffe/net_parameter/keys.hpp"
#include "frontends/caffe/net_parameter/layer_state.hpp"
#include "frontends/caffe/upgrade.hpp"

namespace mo::caffe {

/// The layer for the prototxt, with what stands before it: as it was read when nothing changed. `form`: of the net, for
/// layers that a transform made. Errors: MO-CAFFE-0061 (what this form cannot say), MO-CAFFE-0062.
Expected<std::string> layer_text(const Node& node, const BlobNames& names, Form form);

/// `input: "x" input_shape { … }` of an input that is a field of the net.
Expected<std::string> net_input_text(const Node& node, const BlobNames& names);

}  // namespace mo::caffe
