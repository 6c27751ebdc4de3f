#pragma once

#include <memory>

#include "frontends/tensorflow/checkpoint/checkpoint.hpp"
#include "frontends/tensorflow/checkpoint/files.hpp"

namespace mo::tensorflow {

/// Opens a V2 checkpoint: `<name>.index` is a table of what is where in `<name>.data-?????-of-?????`. The shards are
/// opened when a tensor of theirs is read. Errors: those of the table, MO-TF-0410 (header), MO-TF-0409 (number of
/// entries).
Expected<std::unique_ptr<Checkpoint>> open_bundle(const CheckpointPlace& place);

}  // namespace mo::tensorflow
