#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {

/// Tables and what fills them; a front replacer makes constants of both. Resources and references are the same here.
void register_lookup(OperatorTable& table) {
  for (const char* op : {"HashTable", "HashTableV2", "MutableHashTable", "MutableHashTableV2", "MutableHashTableOfTensors",
                         "MutableHashTableOfTensorsV2", "AnonymousHashTable", "AnonymousMutableHashTable", "AnonymousMutableHashTableOfTensors"})
    table.extract(op, [](const FrameworkNode& node) -> Expected<Op> {
      node.ignore({"key_dtype", "value_dtype", "container", "use_node_name_sharing", "value_shape"});
      return front_op("TfHashTable", {{"shared_name", node.attr("shared_name", "")}});
    });
  for (const char* op : {"InitializeTable", "InitializeTableV2", "LookupTableImport", "LookupTableImportV2"})
    table.extract(op, [](const FrameworkNode&) -> Expected<Op> { return front_op("TfFillTable"); });
  for (const char* op : {"InitializeTableFromTextFile", "InitializeTableFromTextFileV2"})
    table.refuse(op, [](const FrameworkNode& node) -> Expected<Op> {
      node.ignore({"key_index", "value_index", "vocab_size", "delimiter", "offset"});
      return front_op("TfFillTableFromFile");
    });
  for (const char* op : {"LookupTableFind", "LookupTableFindV2"})
    table.extract(op, [](const FrameworkNode&) -> Expected<Op> { return front_op("TfLookupTableFind"); });
  for (const char* op : {"LookupTableSize", "LookupTableSizeV2"})
    table.extract(op, [](const FrameworkNode&) -> Expected<Op> { return front_op("TfLookupTableSize"); });
  for (const char* op : {"LookupTableInsert", "LookupTableInsertV2", "LookupTableRemoveV2"})
    table.refuse(op, [](const FrameworkNode& node) -> Expected<Op> {
      return node.error("MO-TF-0735", "a look-up table changes while the model runs")
          .hint("the IR has no tables with a memory; cut this part off with --output");
    });
}

}  // namespace mo::tensorflow
