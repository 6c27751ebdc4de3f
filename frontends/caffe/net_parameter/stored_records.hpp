#pragma once

#include <string>

#include "core/attributes/attribute_value.hpp"
#include "frontends/caffe/net_parameter/keys.hpp"
#include "frontends/caffe/weight_file.hpp"

namespace mo::caffe {

/// A layer of a .caffemodel that is going to be written again.
struct LayerRecords {
  std::string type;     ///< in the current form; empty when the file does not say
  AttributeValue kept;  ///< kept_key::kStored
};
/// Of layer `place` of the file; its weights stay there. Errors: MO-PB-*, MO-IO-0003.
Expected<LayerRecords> records_of_layer(WeightFile& file, std::size_t place);
/// [record of a blob, records of what it says beside numbers].
Expected<AttributeList> records_of_blob(WeightFile& file, const frontends::WireField& blob);

}  // namespace mo::caffe
