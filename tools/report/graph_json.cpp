#include "tools/report/graph_json.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/common/op_kind.hpp"

namespace mo::tools {
namespace {

using Json = nlohmann::ordered_json;

void append_number(std::string& text, std::int64_t number) {
  char digits[24];
  text.append(digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr);
}

void append_text(std::string& text, std::string_view value) {
  text += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// "name":[…] of `count` numbers.
template <class At>
void append_column(std::string& text, std::string_view name, std::size_t count, At at) {
  text += ",\"";
  text += name;
  text += "\":[";
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    append_number(text, at(i));
  }
  text += ']';
}

std::int64_t step(const std::vector<std::uint32_t>& numbers, std::size_t i) {
  return std::int64_t{numbers[i]} - (i == 0 ? 0 : std::int64_t{numbers[i - 1]});
}

void append_counts(std::string& text, std::string_view name, const ListColumn& lists) {
  append_column(text, name, lists.ends.size(), [&](std::size_t i) { return step(lists.ends, i); });
}

/// How many rows each source precedes its reader by; 0: not connected.
void append_inputs(std::string& text, const GraphTable& table) {
  append_counts(text, "input_count", table.inputs);
  std::size_t row = 0;
  append_column(text, "input_distance", table.inputs.items.size(), [&](std::size_t i) -> std::int64_t {
    while (i >= table.inputs.ends[row]) ++row;
    const std::uint32_t source = table.inputs.items[i];
    return source == GraphTable::kNone ? 0 : static_cast<std::int64_t>(row) - source;
  });
  append_column(text, "input_port", table.input_port.size(), [&](std::size_t i) { return table.input_port[i]; });
}

void append_table(std::string& text, const GraphTable& table) {
  text += "{\"title\":";
  append_text(text, table.title);
  text += ",\"rows\":";
  append_number(text, static_cast<std::int64_t>(table.rows()));
  text += ",\"scopes\":[";
  for (const GraphTable::Scope& scope : table.scopes) {
    if (&scope != &table.scopes.front()) text += ',';
    text += "{\"title\":";
    append_text(text, scope.title);
    text += ",\"owner\":";
    append_number(text, scope.owner == GraphTable::kNone ? -1 : std::int64_t{scope.owner});
    text += ",\"first\":";
    append_number(text, scope.first);
    text += ",\"count\":";
    append_number(text, scope.count);
    text += '}';
  }
  text += ']';
  const std::size_t rows = table.rows();
  append_column(text, "name", rows, [&](std::size_t i) { return step(table.name, i); });
  append_column(text, "op", rows, [&](std::size_t i) { return table.op[i]; });
  append_column(text, "type", rows, [&](std::size_t i) { return table.type[i]; });
  append_column(text, "tensors", rows, [&](std::size_t i) { return std::int64_t{table.tensors[i]} - table.name[i]; });
  append_column(text, "attributes", rows, [&](std::size_t i) { return table.attributes[i]; });
  append_inputs(text, table);
  append_counts(text, "link_count", table.links);
  append_column(text, "link", table.links.items.size(), [&](std::size_t i) { return step(table.links.items, i); });
  append_column(text, "passes", table.passes.size(), [&](std::size_t i) { return table.passes[i]; });
  append_column(text, "mark", table.marks.size(),
                [&](std::size_t i) { return static_cast<std::int64_t>(table.marks[i]); });
  text += '}';
}

/// The kinds of the ops that occur, each with its colour in pictures and the numbers of its ops' texts.
Json kinds_json(const ReportRecord& record) {
  std::set<std::uint32_t> ops;
  for (const GraphTable& table : record.graphs) ops.insert(table.op.begin(), table.op.end());
  Json kinds = Json::array();
  for (const OpKind kind : kOpKinds) {
    Json numbers = Json::array();
    for (const std::uint32_t op : ops)
      if (kind_of_op(record.texts[op]) == kind) numbers.push_back(op);
    if (!numbers.empty())
      kinds.push_back({{"name", std::string(to_string(kind))}, {"hue", hue_of(kind)}, {"ops", std::move(numbers)}});
  }
  return kinds;
}

}  // namespace

void append_graphs(std::string& text, const ReportRecord& record) {
  text += "{\"texts\":[";
  for (std::uint32_t i = 0; i < record.texts.size(); ++i) {
    if (i > 0) text += ',';
    append_text(text, record.texts[i]);
  }
  text += "],\n\"pass_sets\":";
  text += Json(record.pass_sets).dump(-1, ' ', false, Json::error_handler_t::replace);
  text += ",\n\"kinds\":" + kinds_json(record).dump();
  text += ",\n\"tables\":[";
  for (const GraphTable& table : record.graphs) {
    if (&table != &record.graphs.front()) text += ",\n";
    append_table(text, table);
  }
  text += "]}";
}

}  // namespace mo::tools
