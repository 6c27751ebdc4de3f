#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/graph/graph.hpp"
#include "core/op/define_op.hpp"
#include "core/op/op_registry.hpp"
#include "core/text/printer.hpp"
#include "frontends/ir/reader.hpp"
#include "ir_emitter/emitter.hpp"
#include "ops/soft_max.hpp"

namespace mo::ops {
void register_soft_max(OpRegistry& registry);
}

namespace mo::ir_test {

/// A directory that goes away with the test.
class Directory {
 public:
  Directory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "mo_ir_XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::size_t file_count() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Part of a map between the ports of an owner and its body, as the op structs of `ops/` declare it.
struct InputEntry {
  std::int64_t input = 0;
  std::int64_t parameter = 0;
  std::optional<std::int64_t> axis{}, start{}, end{}, stride{}, part_size{};
  static constexpr auto attributes = Attributes{attr("input", &InputEntry::input),
                                                attr("parameter", &InputEntry::parameter),
                                                attr("axis", &InputEntry::axis),
                                                attr("start", &InputEntry::start),
                                                attr("end", &InputEntry::end),
                                                attr("stride", &InputEntry::stride),
                                                attr("part_size", &InputEntry::part_size)};
};
struct OutputEntry {
  std::int64_t output = 0;
  std::int64_t result = 0;
  std::optional<std::int64_t> axis{}, start{}, end{}, stride{}, part_size{};
  static constexpr auto attributes = Attributes{attr("output", &OutputEntry::output),
                                                attr("result", &OutputEntry::result),
                                                attr("axis", &OutputEntry::axis),
                                                attr("start", &OutputEntry::start),
                                                attr("end", &OutputEntry::end),
                                                attr("stride", &OutputEntry::stride),
                                                attr("part_size", &OutputEntry::part_size)};
};
struct BackEdge {
  std::int64_t result = 0;
  std::int64_t parameter = 0;
  static constexpr auto attributes =
      Attributes{attr("result", &BackEdge::result), attr("parameter", &BackEdge::parameter)};
};

/// Stand-ins with the names of the real owners: the emitter and the reader know nothing but attribute names.
struct Loop {
  static constexpr OpId id{"Loop", 5};
  static constexpr OpTraits traits{.owns_bodies = true};
  Body body;
  std::vector<InputEntry> input_map;
  std::vector<OutputEntry> output_map;
  std::vector<BackEdge> back_edges;
  static constexpr auto attributes =
      Attributes{attr("body", &Loop::body), attr("input_map", &Loop::input_map), attr("output_map", &Loop::output_map),
                 attr("back_edges", &Loop::back_edges)};
  Expected<void> infer(InferContext&) const { return {}; }
};
struct If {
  static constexpr OpId id{"If", 8};
  static constexpr OpTraits traits{.owns_bodies = true};
  Body then_body, else_body;
  std::vector<InputEntry> then_input_map, else_input_map;
  std::vector<OutputEntry> then_output_map, else_output_map;
  static constexpr auto attributes =
      Attributes{attr("then_body", &If::then_body),           attr("else_body", &If::else_body),
                 attr("then_input_map", &If::then_input_map), attr("then_output_map", &If::then_output_map),
                 attr("else_input_map", &If::else_input_map), attr("else_output_map", &If::else_output_map)};
  Expected<void> infer(InferContext&) const { return {}; }
};

/// One attribute of each kind.
enum class Mode { plain, Fancy };
inline std::array<std::string_view, 2> kModeNames{"plain", "Fancy"};
inline std::span<const std::string_view> names_of(Mode) { return kModeNames; }
struct Everything {
  static constexpr OpId id{"Everything", "test_opset"};
  bool flag = false;
  double real = 0;
  std::string text;
  Mode mode = Mode::plain;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::optional<std::int64_t> unset{};
  std::int64_t defaulted = 7;
  std::string layout = "NHWC";
  static constexpr auto attributes = Attributes{attr("flag", &Everything::flag),
                                                attr("real", &Everything::real),
                                                attr("text", &Everything::text),
                                                attr("mode", &Everything::mode),
                                                attr("type", &Everything::type),
                                                attr("integers", &Everything::integers),
                                                attr("reals", &Everything::reals),
                                                attr("unset", &Everything::unset),
                                                attr("defaulted", &Everything::defaulted).optional(),
                                                attr("layout", &Everything::layout).internal()};
  Expected<void> infer(InferContext& ctx) const {
    ctx.output(0, ctx.input(0));
    return {};
  }
};

inline OpRegistry registry() {
  OpRegistry made;
  ops::register_soft_max(made);
  made.add<Loop>();
  made.add<If>();
  made.add<Everything>();
  return made;
}

inline TensorType f32(std::initializer_list<Dimension> shape) { return {ElementType::f32, PartialShape(shape)}; }

/// SoftMax of `value`, of the same type.
inline Value soft_max(const Value& value, std::string_view name) {
  const Node node = value.graph().create_node(ops::v1::SoftMax{1}, {value}, 1, name);
  node.out_port(0).data().set_type(value.type());
  return node.out_port(0);
}

inline ir_emitter::EmitOptions options(const std::string& xml_path, int version = 11) {
  ir_emitter::EmitOptions made;
  made.xml_path = xml_path;
  made.ir_version = version;
  return made;
}

template <class T>
std::string error_code(const Expected<T>& result) {
  return result ? "" : result.error().first().code;
}
template <class T>
std::string error_text(const Expected<T>& result) {
  std::string text;
  if (!result)
    for (const Diagnostic& d : result.error().items()) text += d.format() + "\n";
  return text;
}

/// x -> SoftMax -> y, with names and sources that XML has to escape.
inline void build_small(Graph& graph) {
  graph.name = "small";
  const Node x = graph.create_parameter(f32({2, 3}), "x");
  x.out_port(0).data().add_tensor_name("x:0");
  const Value y = soft_max(x.out_port(0), "a<b>&\"c\"");
  y.data().add_tensor_name("z");
  y.data().add_tensor_name("with,comma");
  y.data().add_tensor_name("ends\\");
  y.data().add_tensor_name("z");
  y.node().add_source("one, two");
  y.node().add_source("three");
  graph.create_result(y, "y");
}

inline Tensor floats(std::vector<float> values) { return Tensor::vector(values); }

/// A constant that is read by a Result, so that it is not alone.
inline void add_constant(Graph& graph, Tensor tensor, const std::string& name) {
  graph.create_result(graph.create_constant(std::move(tensor), name).out_port(0), name + "/sink");
}

}  // namespace mo::ir_test
