#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// Texts of a report, each stored once and called by a number; they count from 0 in the order in which they came.
class TextTable {
 public:
  std::uint32_t intern(std::string_view text);
  /// kNone when it is not there.
  std::uint32_t find(std::string_view text) const { return texts_.find(text).index; }
  std::string_view operator[](std::uint32_t number) const { return texts_[NameId{number}]; }
  std::uint32_t size() const { return size_; }

 private:
  NameTable texts_;
  std::uint32_t size_ = 0;
};

/// For each row a list of numbers, all in one array.
struct ListColumn {
  std::vector<std::uint32_t> ends;  ///< past the list of each row
  std::vector<std::uint32_t> items;

  std::uint32_t begin(std::size_t row) const { return row == 0 ? 0 : ends[row - 1]; }
  void end_row() { ends.push_back(static_cast<std::uint32_t>(items.size())); }
};

/// A graph as columns of numbers, a row for each node: what a report keeps of it, about fifty bytes a node. Rows stand
/// in topological order (in the order of the file where there are cycles), bodies after the graph that holds them.
struct GraphTable {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  /// The graph itself, or a body.
  struct Scope {
    std::string title;            ///< "Loop 'l', body 0"; empty for the outermost graph
    std::uint32_t owner = kNone;  ///< row of the node that has the body
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  /// How a row is to be looked at.
  enum class Mark : std::uint8_t { none, changed, alone, wrong };

  std::string title;
  std::vector<Scope> scopes;
  // Texts.
  std::vector<std::uint32_t> name;
  std::vector<std::uint32_t> op;
  std::vector<std::uint32_t> type;  ///< of all outputs: "f32[1,8], i64[1]"
  /// names of the tensors of the outputs; that of the node when they do not differ
  std::vector<std::uint32_t> tensors;
  std::vector<std::uint32_t> attributes;  ///< "axis=1, mode=\"linear\""
  // Rows.
  ListColumn inputs;                      ///< kNone: not connected
  std::vector<std::uint32_t> input_port;  ///< beside inputs.items: which output is read
  /// rows of the other graph that are the same: of an IR, what it was made of; empty when there is none
  ListColumn links;
  /// which set of passes made or changed it; empty when unknown
  std::vector<std::uint32_t> passes;
  std::vector<Mark> marks;  ///< empty: none

  std::size_t rows() const { return name.size(); }
  /// kNone for a node of another graph.
  std::uint32_t row_of(const Node& node) const;

  /// of graphs that may be gone: never followed
  std::map<const Graph*, std::vector<std::uint32_t>> rows_by_id;
};

/// "f32[1,?,8]": without the symbols of unknown dimensions, which tell nothing outside of the graph.
std::string plain_text(const TensorType& type);

/// Under which name the ops of a table stand: that of the framework, or of the IR.
enum class OpNames { framework, ir };

GraphTable table_of(const Graph& graph, OpNames names, std::string title, TextTable& texts);

/// The nodes of `graph`, of which `table` was made, by their rows.
std::vector<Node> nodes_by_row(const GraphTable& table, const Graph& graph);

/// Fills `links` of `table`: the rows of `source` that its nodes stand for, by their provenance, else by their name.
void link_by_sources(GraphTable& table, const Graph& graph, const GraphTable& source, const TextTable& texts);

}  // namespace mo::tools
