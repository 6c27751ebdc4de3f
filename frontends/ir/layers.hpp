#pragma once

#include <pugixml.hpp>
#include <unordered_map>
#include <vector>

#include "core/types/partial_shape.hpp"
#include "frontends/ir/xml.hpp"

namespace mo::ir {

/// Where an input gets its tensor from: positions, not ids.
struct Source {
  std::uint32_t layer = 0;
  std::uint32_t output = 0;
  bool connected = false;
};

/// One <layer> with everything but its attributes.
struct Layer {
  pugi::xml_node xml;
  std::int64_t id = 0;
  std::string_view name;
  std::string_view type;
  std::string_view version;
  std::vector<pugi::xml_node> outputs;  ///< their <port>
  std::vector<Source> sources;          ///< one per input port
  /// (port id, position counted through inputs and outputs), sorted; only when ids do not count through.
  std::vector<std::pair<std::int64_t, std::size_t>> unusual_ids;

  /// Position of the port with that id; nothing when there is none.
  std::optional<std::size_t> input_at(std::int64_t port) const;
  std::optional<std::size_t> output_at(std::int64_t port) const;

 private:
  std::optional<std::size_t> position(std::int64_t port) const;
};

/// <layers> and <edges> of a net or a body, checked: ids and names are unique, every edge joins existing ports, every
/// input has one edge.
struct LayerList {
  std::vector<Layer> layers;
  std::unordered_map<std::int64_t, std::uint32_t> by_id;
};

/// Collects up to 20 errors; further ones are counted.
class ErrorList {
 public:
  void add(Error error);
  bool empty() const { return items_.empty(); }
  Expected<void> finish();

 private:
  std::vector<Diagnostic> items_;
  std::size_t more_ = 0;
};

/// The element type that an attribute names ("f32"). One that is not known is a type that is known by name only when
/// `carries_unknown`. Errors: MO-IR-0005, MO-IR-0016.
Expected<ElementType> read_element_type(std::string_view text, bool carries_unknown);
/// Element type and dimensions that a <port> states; `carries_unknown` as in read_element_type. Errors: MO-IR-0003,
/// MO-IR-0005, MO-IR-0016.
Expected<TensorType> read_port_type(const pugi::xml_node& port, bool carries_unknown);

/// Error MO-IR-0003 … 0008, all of one graph together.
Expected<LayerList> read_layers(const pugi::xml_node& net);

/// "a,b\,c" -> "a", "b,c".
std::vector<std::string> split_names(std::string_view text);

}  // namespace mo::ir
