#include "frontends/tensorflow/ops/support/structural.hpp"

namespace mo::tensorflow {

/// Tables and what fills them; a pass of the front phase makes constants of both. Resources and references are the same
/// here.
void register_lookup(OperatorTable& table) {
  taken_apart(table,
              {"HashTable", "HashTableV2", "MutableHashTable", "MutableHashTableV2", "MutableHashTableOfTensors",
               "MutableHashTableOfTensorsV2", "AnonymousHashTable", "AnonymousMutableHashTable",
               "AnonymousMutableHashTableOfTensors"},
              {"container", "shared_name", "use_node_name_sharing", "key_dtype", "value_dtype", "value_shape"});
  taken_apart(table, {"InitializeTable", "InitializeTableV2", "LookupTableImport", "LookupTableImportV2"},
              {"Tkey", "Tval", "Tin", "Tout"});
  taken_apart(table, {"LookupTableFind", "LookupTableFindV2", "LookupTableSize", "LookupTableSizeV2"}, {"Tin", "Tout"});
  for (const char* op : {"InitializeTableFromTextFile", "InitializeTableFromTextFileV2"})
    table.refuse(op, [](const FrameworkNode& node) -> Expected<Op> {
      return node.error("MO-TF-0730", "the contents of the look-up table are in a text file")
          .hint(
              "save the model with its table initialisers and constants in them, or cut it after the look-up with "
              "--input");
    });
  for (const char* op : {"LookupTableInsert", "LookupTableInsertV2", "LookupTableRemoveV2"})
    table.refuse(op, [](const FrameworkNode& node) -> Expected<Op> {
      return node.error("MO-TF-0735", "a look-up table changes while the model runs")
          .hint("the IR has no tables with a memory; cut this part off with --output");
    });
}

}  // namespace mo::tensorflow
