#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/files/input_files.hpp"
#include "core/files/memory_file.hpp"
#include "core/graph/graph.hpp"

namespace mo::ir_emitter {

struct EmitOptions {
  /// The .bin lies beside it.
  std::string xml_path;
  /// 10: read by runtimes from 2020.1; static shapes only. 11: from 2022.1.
  int ir_version = 11;
  /// Empty: the name of the graph.
  std::string model_name;
  /// What the net says about its making: "MO_version", "conversion_parameters" (a record) … Nested records become
  /// nested elements of
  /// `<rt_info>` (v11). v10 writes the same as `<meta_data>`, with "conversion_parameters" as `<cli_parameters>`; the
  /// entry "unset_cli_parameters" of that record (names of options that were not given) exists in v10 only.
  AttributeMap rt_info;
  /// Runtimes from 2023.2 take the low half of a byte as the first of two 4-bit elements, older ones the high half.
  bool low_nibble_first = true;
  /// What must not be overwritten, besides the files that constants refer to. May be absent.
  const InputFiles* inputs = nullptr;
  /// The files have reached the disk when `emit` returns.
  bool durable = false;
  /// The files stay in memory (EmitReport::xml, bin); `xml_path` only names them.
  bool in_memory = false;
  /// The graph was read from an IR: layers stay in the order of the file (of their ids) where passes left it a possible
  /// one, and a .bin that holds nothing but the constants is copied as it is packed.
  bool as_read = false;
  /// Is told where the bytes of each constant lie in the .bin. May be absent.
  std::function<void(const Node& constant, std::uint64_t offset, std::uint64_t bytes)> constant_written = {};
};

struct EmitReport {
  std::uint64_t layers = 0;     ///< bodies included
  std::uint64_t constants = 0;  ///< Const layers, bodies included
  /// those whose packing differs between runtimes, see EmitOptions::low_nibble_first
  std::uint64_t four_bit_constants = 0;
  std::uint64_t shared_constants = 0;  ///< those that refer to bytes which an earlier one wrote
  std::uint64_t recipes = 0;           ///< those whose bytes were computed while writing
  std::uint64_t xml_bytes = 0;
  std::uint64_t bin_bytes = 0;
  std::shared_ptr<const MemoryFile> xml;  ///< with EmitOptions::in_memory
  std::shared_ptr<const MemoryFile> bin;
};

/// Writes `graph` as Intermediate Representation. The graph has gone through the back phase: every node is an op of an
/// op set, or a dynamic op whose attributes "version" (name of its op set) and, optionally, "type" say how it is called
/// in the IR.
///
/// Layers: Parameters in the model's order, then topologically, Results last in the model's order, unless `as_read`;
/// ids count from 0. Constants lie in the .bin in that order, bodies after the graph that holds them; those of 64 bytes
/// or more start at a multiple of 64, smaller ones at a multiple of their element's size; equal ones are stored once.
/// The same graph and options give the same bytes.
///
/// The net also says what belongs together: `checksums` in `<rt_info>` with `bin_xxh64`, the hash of the .bin, and
/// `xml_xxh64`, that of the lines before this element. Other tools copy the entry when they write a changed model; it
/// then matches nothing and has no meaning.
///
/// Both files replace earlier ones together, at the very end (OutputSet); after an error nothing new is left. Memory
/// does not grow with the size of the weights: the largest constant that has to be computed is held, nothing else.
Expected<EmitReport> emit(const Graph& graph, const EmitOptions& options);

}  // namespace mo::ir_emitter
