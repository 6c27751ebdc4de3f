#include <algorithm>
#include <map>
#include <numeric>

#include "extensions/front/tensorflow/support/graphs.hpp"
#include "ops/broadcast.hpp"
#include "ops/bucketize.hpp"
#include "ops/build/term.hpp"

namespace mo::front::tensorflow {
namespace {

using namespace build;

/// HashTableV2, MutableHashTableOfTensors, AnonymousHashTable …
bool is_table(const Node& node) {
  return node.type().starts_with("tf::") && node.type().find("HashTable") != std::string_view::npos;
}
bool fills_from_file(const Node& node) { return node.type().starts_with("tf::InitializeTableFromTextFile"); }
bool fills_table(const Node& node) {
  return node.type().starts_with("tf::InitializeTable") || node.type().starts_with("tf::LookupTableImport");
}

/// The node that makes the table which `handle` stands for.
Node table_of(const Value& handle) {
  const Value source = plain(handle);
  return source && is_table(source.node()) ? source.node() : Node();
}

/// The elements of a constant, which may be large.
const Tensor* constant_of(const Value& value) {
  const Value source = plain(value);
  return source ? source.data().value() : nullptr;
}

/// Nodes that fill the table: those that read it, or a table of the same shared name.
std::vector<Node> fillers_of(const Node& table) {
  const std::string shared = FrameworkNode(table).attr("shared_name", "");
  std::vector<Node> fillers;
  const auto collect = [&](const Node& of) {
    for (const InPort& reader : of.out_port(0).get_destinations())
      if (fills_table(reader.node())) fillers.push_back(reader.node());
  };
  collect(table);
  if (!fillers.empty() || shared.empty()) return fillers;
  for (const Node node : table.graph().nodes())
    if (is_table(node) && node != table && node.attr<std::string>("shared_name") == shared) collect(node);
  return fillers;
}

/// What a table holds, as constants: keys [n], values [n, …].
struct Contents {
  Tensor keys;
  Tensor values;
};

Expected<Contents> contents_of(const Node& reader) {
  const Node table = table_of(reader.input(0));
  const std::vector<Node> fillers = table ? fillers_of(table) : std::vector<Node>();
  if (fillers.size() != 1 || fills_from_file(fillers.front()))
    return reader
        .error("MO-TF-0730", "the contents of the look-up table are {}",
               fillers.empty()      ? "not in the model"
               : fillers.size() > 1 ? "filled in several times"
                                    : "in a text file")
        .hint(
            "save the model with its table initialisers and constants in them, or cut it after the look-up: --input "
            "\"{}:0[shape]\"",
            reader.name());
  const Node filler = fillers.front();
  const Tensor* keys = constant_of(filler.input(1));
  const Tensor* values = constant_of(filler.input(2));
  if (!keys || !values)
    return reader.error("MO-TF-0731", "keys or values of the look-up table are computed in the model")
        .hint("freeze the model so that '{}' reads constants", filler.name());
  if (keys->rank() != 1 || values->rank() < 1 || values->shape()[0] != keys->element_count())
    return reader
        .error("MO-TF-0732", "the look-up table has keys of shape {} and values of shape {}", to_string(keys->shape()),
               to_string(values->shape()))
        .hint("there is one value for each key");
  MO_ASSIGN(Tensor loaded_keys, keys->load());
  MO_ASSIGN(Tensor loaded_values, values->load());
  return Contents{std::move(loaded_keys), std::move(loaded_values)};
}

/// Places of the keys in ascending order; of equal ones the last, which is what was put in last.
template <class Key>
std::vector<std::int64_t> ascending_places(const std::vector<Key>& keys) {
  std::map<Key, std::int64_t> places;
  for (std::size_t i = 0; i < keys.size(); ++i) places[keys[i]] = static_cast<std::int64_t>(i);
  std::vector<std::int64_t> order;
  for (const auto& [key, place] : places) order.push_back(place);
  return order;
}

Expected<std::vector<std::int64_t>> order_of(const Tensor& keys) {
  if (keys.element_type() == ElementType::string) {
    MO_ASSIGN(const std::vector<std::string> strings, to_strings(keys));
    return ascending_places(strings);
  }
  if (is_real(keys.element_type())) {
    MO_ASSIGN(const std::vector<double> numbers, to_reals(keys));
    return ascending_places(numbers);
  }
  MO_ASSIGN(const std::vector<std::int64_t> numbers, to_integers(keys));
  return ascending_places(numbers);
}

Value rows(Rewriter& rw, const Value& x, const Value& places) {
  return rw.create(ops::Gather{}, x, places, rw.scalar<std::int64_t>(0));
}

/// For each requested string its row in the values, or one past the last.
Expected<std::vector<std::int64_t>> rows_of_strings(const Tensor& keys, const Tensor& asked) {
  MO_ASSIGN(const std::vector<std::string> known, to_strings(keys));
  MO_ASSIGN(const std::vector<std::string> wanted, to_strings(asked));
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < known.size(); ++i) places[known[i]] = i;
  std::vector<std::int64_t> found;
  for (const std::string& text : wanted) {
    const auto it = places.find(text);
    found.push_back(static_cast<std::int64_t>(it == places.end() ? known.size() : it->second));
  }
  return found;
}

/// Inputs: table, keys, default. The place of a key among the sorted ones; where the key there differs, the default
/// after the values is taken.
Replacement look_up(const Node& node, Rewriter& rw) {
  MO_ASSIGN(const Contents contents, contents_of(node));
  if (contents.values.element_type() == ElementType::string)
    return node.error("MO-TF-0733", "the look-up table gives strings, which the IR does not have")
        .hint("end the model before the look-up: --output \"1:{}\"", node.name());
  const std::int64_t count = contents.keys.element_count();
  const Value asked = node.input(1);
  const Value fallback = node.input(2);
  if (count == 0 && contents.values.rank() == 1) return rw.create(ops::Broadcast{}, fallback, shape_of(rw, asked));
  const Value fallback_row = rw.create(ops::Unsqueeze{}, fallback, rw.integers({0}));

  if (contents.keys.element_type() == ElementType::string) {
    const Tensor* strings = constant_of(asked);
    if (!strings)
      return node.error("MO-TF-0734", "the look-up table has strings as keys, which the IR does not have")
          .hint("cut the model after the look-up: --input \"{}:0[shape]\"", node.name());
    MO_ASSIGN(const std::vector<std::int64_t> places, rows_of_strings(contents.keys, *strings));
    MO_ASSIGN(Tensor indices, from_integers(ElementType::i64, strings->shape(), places));
    return rows(rw, join(rw, {rw.constant(contents.values), fallback_row}), rw.constant(std::move(indices)));
  }
  MO_ASSIGN(const std::vector<std::int64_t> order, order_of(contents.keys));
  const Value places = rw.integers(order);
  const Value keys = rows(rw, rw.constant(contents.keys), places);
  const Value values = join(rw, {rows(rw, rw.constant(contents.values), places), fallback_row});
  const auto different = static_cast<double>(order.size());
  const Term place(rw,
                   rw.create(ops::Bucketize{.output_type = ElementType::i64, .with_right_bound = true}, asked, keys),
                   ElementType::i64);
  const Value nearest = rows(rw, keys, smaller(place, different - 1));
  const Term found = Term(rw, nearest, contents.keys.element_type()).test(ops::Equal{}, asked);
  return rows(rw, values, choose(found, place, different));
}

Replacement table_size(const Node& node, Rewriter& rw) {
  MO_ASSIGN(const Contents contents, contents_of(node));
  MO_ASSIGN(const std::vector<std::int64_t> order, order_of(contents.keys));
  return rw.scalar(static_cast<std::int64_t>(order.size()));
}

/// Removes tables, and what fills them, when they have no readers left.
Expected<bool> remove_tables(Graph& graph, PassContext&) {
  bool changed = false;
  for (const Node node : graph.nodes()) {
    if (!fills_table(node)) continue;
    const auto ports = node.out_ports();
    if (!std::all_of(ports.begin(), ports.end(), [](const OutPort& port) { return port.disconnected(); })) continue;
    erase_if_dead(node);
    changed = true;
  }
  for (const Node node : graph.nodes())
    if (is_table(node) && node.out_port(0).disconnected()) {
      erase_if_dead(node);
      changed = true;
    }
  return changed;
}

}  // namespace

/// Look-up tables whose contents are constants of the model become constants and arithmetic.
void register_lookup(PassRegistry& passes) {
  passes.add(graph_rewrite("TfLookupTables")
                 .phase(Phase::front)
                 .add(structural_rule({"tf::LookupTableFind", "tf::LookupTableFindV2"}, 3, look_up))
                 .add(structural_rule({"tf::LookupTableSize", "tf::LookupTableSizeV2"}, 1, table_size)));
  passes.add(graph_pass("RemoveLookupTables").phase(Phase::front).run_after({"TfLookupTables"}).run(remove_tables));
}

}  // namespace mo::front::tensorflow
