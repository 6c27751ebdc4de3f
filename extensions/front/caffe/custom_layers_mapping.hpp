#pragma once

#include <string>

namespace mo::front::caffe {

/// Settings of the pass CustomLayersMapping (PassContext::settings).
struct CustomLayerSettings {
  std::string mapping;  ///< path of the CustomLayersMapping.xml; empty: none was given
  /// Parameters of nested messages get the names of the messages around them ("a__b"); otherwise all are merged flat.
  bool flattens_nested_params = false;
  bool keeps_optional_params = false;  ///< --disable_omitting_optional
};

}  // namespace mo::front::caffe
