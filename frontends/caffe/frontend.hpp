#pragma once

#include "core/registry/registry.hpp"

namespace mo::caffe {

/// The framework "caffe": reader and extractors.
void register_frontend(Registry& registry);

}  // namespace mo::caffe
