#pragma once

#include <memory>

#include "frontends/tensorflow/checkpoint/checkpoint.hpp"
#include "frontends/tensorflow/checkpoint/files.hpp"

namespace mo::tensorflow {

/// Opens a V1 checkpoint: one table or several, each with a list of what is in it (SavedTensorSliceMeta under the empty
/// key) and a record with values for each slice of a variable. Errors: those of the tables, MO-TF-0423 (lists and
/// records that contradict each other).
Expected<std::unique_ptr<Checkpoint>> open_saved_slices(const CheckpointPlace& place);

}  // namespace mo::tensorflow
