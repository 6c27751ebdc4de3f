#pragma once

namespace mo::front::caffe {

/// What `zoom_factor` of the layer Interp means; set by the driver (Settings::get).
struct InterpSettings {
  /// sizes, as in networks made for other forks than DeepLab's, which zooms the distance of the corners
  bool zoom_multiplies = false;
};

}  // namespace mo::front::caffe
