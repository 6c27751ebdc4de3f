#include "frontends/tensorflow/ops/support/structural.hpp"

namespace mo::tensorflow {

/// Queues and iterators: what a model takes out of them becomes its inputs. The handles only carry types and shapes.
void register_data_sources(OperatorTable& table) {
  taken_apart(table, {"IteratorGetNext", "IteratorGetNextSync", "QueueDequeue", "QueueDequeueV2", "QueueDequeueMany", "QueueDequeueManyV2",
                      "QueueDequeueUpTo", "QueueDequeueUpToV2"});
  taken_apart(table, {"FIFOQueue", "FIFOQueueV2", "PaddingFIFOQueue", "PaddingFIFOQueueV2", "RandomShuffleQueue", "RandomShuffleQueueV2"});
  taken_apart(table, {"Iterator", "IteratorV2", "OneShotIterator", "AnonymousIterator", "AnonymousIteratorV2"});
}

}  // namespace mo::tensorflow
