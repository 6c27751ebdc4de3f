#include "frontends/tensorflow/ops/support/structural.hpp"

namespace mo::tensorflow {

/// Queues and iterators: what a model takes out of them becomes its inputs. The handles only carry types and shapes.
void register_data_sources(OperatorTable& table) {
  taken_apart(table,
              {"IteratorGetNext", "IteratorGetNextSync", "QueueDequeue", "QueueDequeueV2", "QueueDequeueMany",
               "QueueDequeueManyV2", "QueueDequeueUpTo", "QueueDequeueUpToV2"},
              {"output_types", "output_shapes", "component_types", "timeout_ms"});
  taken_apart(
      table,
      {"FIFOQueue", "FIFOQueueV2", "PaddingFIFOQueue", "PaddingFIFOQueueV2", "RandomShuffleQueue",
       "RandomShuffleQueueV2"},
      {"component_types", "shapes", "capacity", "min_after_dequeue", "seed", "seed2", "container", "shared_name"});
  taken_apart(table, {"Iterator", "IteratorV2", "OneShotIterator", "AnonymousIterator", "AnonymousIteratorV2"},
              {"output_types", "output_shapes", "dataset_factory", "container", "shared_name"});
}

}  // namespace mo::tensorflow
