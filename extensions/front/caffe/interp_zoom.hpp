#pragma once

namespace mo::front::caffe {

/// What `zoom_factor` of the layer Interp means; set by the driver (Settings::get).
struct InterpSettings {
  bool zoom_multiplies = false;  ///< sizes, as in networks made for other forks than DeepLab's, which zooms the distance of the corners
};

}  // namespace mo::front::caffe
