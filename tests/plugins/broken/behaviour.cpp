// What it does, the environment variable BEHAVIOUR says; with OVERRIDES set, it says that it overrides what is built
// in.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <thread>
#include <vector>

#include <mo/plugin.hpp>

namespace {

using mo::Expected;

/// mo's ReLU with another evaluation.
struct DoubledReLU : mo::ops::ReLU {
  Expected<void> evaluate(mo::EvalContext& ctx) const {
    MO_TRY(mo::ops::ReLU::evaluate(ctx));
    for (float& value : ctx.output(0).mutable_values<float>()) value *= 2;
    return {};
  }
};

/// The name of mo's ReLU, but not its attributes.
struct LeakyReLU {
  static constexpr mo::OpId id = mo::ops::ReLU::id;
  double slope = 0;
  static constexpr auto attributes = mo::Attributes{mo::attr("slope", &LeakyReLU::slope)};
  Expected<void> infer(mo::InferContext&) const { return {}; }
};

struct Throwing {
  static constexpr mo::OpId id{"Throwing", "test"};
  static constexpr mo::Attributes<> attributes{};
  Expected<void> infer(mo::InferContext&) const { throw std::runtime_error("thrown by infer"); }
};

struct Crashing {
  static constexpr mo::OpId id{"Crashing", "test"};
  static constexpr mo::Attributes<> attributes{};
  Expected<void> infer(mo::InferContext&) const {
    std::raise(SIGFPE);
    return {};
  }
};

/// Uses up the stack; what it returns is never known.
int endless(int depth) {
  volatile char frame[4096] = {};
  frame[0] = static_cast<char>(depth);
  return depth == -1 ? 0 : endless(depth + 1) + frame[0];
}

mo::Replacement doubled(const mo::FrameworkNode& node, mo::Rewriter& rw) {
  return rw.create(mo::ops::Add{}, node.input(0), node.input(0));
}

mo::Pass wrong_name() {
  return mo::front_replacement_op("SquaredDiference").replace_op([](const mo::Node&, mo::Rewriter&) {
    return mo::Replacement();
  });
}

/// Whatever happens, it finds nothing in an ONNX model.
mo::Pass other_framework() {
  return mo::front_replacement_op("FusedBatchNormV3").replace_op([](const mo::Node&, mo::Rewriter&) {
    return mo::Replacement();
  });
}

mo::Pass unknown_op() {
  return mo::front_replacement_op("Mine").of_unknown_op().replace_op(
      [](const mo::Node&, mo::Rewriter&) { return mo::Replacement(); });
}

mo::Pass nothing(const std::string& name) {
  return mo::graph_pass(name).run([](mo::Graph&, mo::PassContext&) -> Expected<bool> { return false; });
}

mo::Frontend reader(const std::string& name, std::function<Expected<std::unique_ptr<mo::Graph>>()> read) {
  return {
      name, "Test", {".test"}, [read](const std::string&, const mo::Settings&, mo::DiagnosticSink&) { return read(); }};
}

Expected<std::unique_ptr<mo::Graph>> copies_its_input() {
  auto graph = std::make_unique<mo::Graph>();
  const mo::Node input = graph->create_parameter({mo::ElementType::f32, {1, 2}}, "x");
  graph->create_result(graph->create_node(mo::ops::ReLU{}, {input.output()}, 1, "y").output(), "z");
  return graph;
}

/// A pass of the middle that makes a mistake with the first node that is neither an input nor an output of the model.
mo::Pass slip(std::function<void(mo::Graph&, const mo::Node&)> author) {
  return mo::graph_pass("Slip").run([author](mo::Graph& graph, mo::PassContext&) -> Expected<bool> {
    for (const mo::Node node : graph.nodes()) {
      if (node.is<mo::Parameter>() || node.is<mo::Result>() || node.is<mo::Const>()) continue;
      author(graph, node);
      return true;
    }
    return false;
  });
}

/// Of the model's own operator.
mo::Pass replacement_of(std::function<mo::Replacement(const mo::Node&, mo::Rewriter&)> made) {
  return mo::front_replacement_op("RmsNorm").of_unknown_op().replace_op(std::move(made));
}

/// A pass at whose end there is no process any more.
mo::Pass last_pass(std::function<void()> end) {
  return mo::graph_pass("Last").phase(mo::Phase::front).run([end](mo::Graph&, mo::PassContext&) -> Expected<bool> {
    end();
    return false;
  });
}

/// The pass, in a conversion that gets as far as the middle: the model's own operator becomes a product.
void add_slip(mo::Registry& registry, mo::Pass pass) {
  registry.operators("onnx").extract("com.acme::RmsNorm", [](const mo::FrameworkNode& node) -> Expected<mo::Op> {
    node.ignore({"epsilon"}, "a test");
    return mo::ops::Multiply{};
  });
  registry.passes().add(std::move(pass));
}

using Behaviour = std::function<void(mo::Registry&)>;

const std::map<std::string, Behaviour>& behaviours() {
  static const std::map<std::string, Behaviour> all = {
      {"nothing", [](mo::Registry&) {}},
      {"op", [](mo::Registry& registry) { registry.ops().add<mo::ops::ReLU>(); }},
      {"overriding op", [](mo::Registry& registry) { registry.ops().add<DoubledReLU>(); }},
      {"op of another shape", [](mo::Registry& registry) { registry.ops().add<LeakyReLU>(); }},
      {"extractor",
       [](mo::Registry& registry) { registry.operators("onnx").translate("Relu", mo::since(14), doubled); }},
      {"op of a wrong name", [](mo::Registry& registry) { registry.passes().add(wrong_name()); }},
      {"op of another framework", [](mo::Registry& registry) { registry.passes().add(other_framework()); }},
      {"op that nobody knows", [](mo::Registry& registry) { registry.passes().add(unknown_op()); }},
      {"pass", [](mo::Registry& registry) { registry.passes().add(nothing("GeluFusion")); }},
      {"framework", [](mo::Registry& registry) { registry.add(reader("onnx", copies_its_input)); }},
      {"pass of mo's own", [](mo::Registry& registry) { registry.passes().add(nothing("PartialInference")); }},
      {"pass without a name", [](mo::Registry& registry) { registry.passes().add(mo::Pass{}); }},
      {"framework without a reader",
       [](mo::Registry& registry) {
         registry.add(mo::Frontend{"test", "Test", {}, {}});
       }},
      {"unknown framework",
       [](mo::Registry& registry) { registry.operators("tensorflow").translate("Relu", doubled); }},
      {"reader without a graph",
       [](mo::Registry& registry) { registry.add(reader("test", [] { return std::unique_ptr<mo::Graph>(); })); }},
      {"throwing reader",
       [](mo::Registry& registry) {
         registry.add(reader("test", []() -> Expected<std::unique_ptr<mo::Graph>> {
           throw std::runtime_error("thrown by the reader");
         }));
       }},
      {"throwing extractor",
       [](mo::Registry& registry) {
         registry.operators("onnx").extract("com.acme::RmsNorm",
                                            [](const mo::FrameworkNode&) -> Expected<mo::Op> { throw 1; });
       }},
      {"throwing pass",
       [](mo::Registry& registry) {
         registry.passes().add(
             mo::graph_pass("Thrower").phase(mo::Phase::front).run([](mo::Graph&, mo::PassContext&) -> Expected<bool> {
               throw std::runtime_error("thrown by a pass");
             }));
       }},
      {"crashing pass", [](mo::Registry& registry) { registry.passes().add(last_pass([] { std::raise(SIGSEGV); })); }},
      {"aborting pass", [](mo::Registry& registry) { registry.passes().add(last_pass([] { std::abort(); })); }},
      {"pass with a throwing thread",
       [](mo::Registry& registry) {
         registry.passes().add(
             last_pass([] { std::thread([] { throw std::runtime_error("thrown in a thread"); }).join(); }));
       }},
      {"pass that may not throw",
       [](mo::Registry& registry) {
         registry.passes().add(last_pass([]() noexcept { static_cast<void>(std::vector<int>().at(7)); }));
       }},
      {"endless pass",
       [](mo::Registry& registry) { registry.passes().add(last_pass([] { static_cast<void>(endless(0)); })); }},
      {"exiting pass", [](mo::Registry& registry) { registry.passes().add(last_pass([] { std::exit(0); })); }},
      {"quickly exiting pass",
       [](mo::Registry& registry) { registry.passes().add(last_pass([] { std::quick_exit(0); })); }},
      {"pass that exits at once", [](mo::Registry& registry) { registry.passes().add(last_pass([] { _exit(113); })); }},
      {"pass that exits at once, as C++ spells it",
       [](mo::Registry& registry) { registry.passes().add(last_pass([] { std::_Exit(0); })); }},
      {"crashing extractor",
       [](mo::Registry& registry) {
         registry.operators("onnx").extract("com.acme::RmsNorm", [](const mo::FrameworkNode&) -> Expected<mo::Op> {
           std::raise(SIGBUS);
           return mo::ops::Multiply{};
         });
       }},
      {"crashing reader",
       [](mo::Registry& registry) {
         registry.add(reader("test", []() -> Expected<std::unique_ptr<mo::Graph>> { std::abort(); }));
       }},
      {"crashing op",
       [](mo::Registry& registry) {
         registry.ops().add<Crashing>();
         registry.operators("onnx").extract("com.acme::RmsNorm", [](const mo::FrameworkNode& node) -> Expected<mo::Op> {
           node.ignore({"epsilon"}, "a test");
           return Crashing{};
         });
       }},
      {"other things each time",
       [](mo::Registry& registry) {
         // The file exists once the plugin has been registered.
         const int mark = open(std::getenv("MARK"), O_CREAT | O_EXCL | O_WRONLY, 0600);
         registry.passes().add(nothing(mark >= 0 ? "Harmless" : "Harmful"));
         if (mark >= 0) close(mark);
       }},
      {"absent input port",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph&, const mo::Node& node) { node.in_port(5).disconnect(); }));
       }},
      {"absent output port",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph&, const mo::Node& node) { node.out_port(3).get_destinations(); }));
       }},
      {"absent node",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph& graph, const mo::Node&) { graph.find_node("no such node").type(); }));
       }},
      {"misspelt alias",
       [](mo::Registry& registry) {
         registry.passes().add(mo::front_replacement_subgraph("Slip")
                                   .pattern({{"first", {{"op", "Relu"}}}}, {})
                                   .replace_sub_graph([](const mo::AliasMatch& match, mo::Rewriter&) -> Expected<bool> {
                                     return static_cast<bool>(match["misspelt"]);
                                   }));
       }},
      {"value of a failed call",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph&, const mo::Node& node) {
                    const Expected<int> failed = node.error("TEST-0001", "no such thing");
                    std::getenv(*failed == 1 ? "A" : "B");
                  }));
       }},
      {"misspelt attribute",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph&, const mo::Node& node) {
                    std::getenv(*node.attr<std::int64_t>("axsi") == 1 ? "A" : "B");
                  }));
       }},
      {"misspelt option",
       [](mo::Registry& registry) {
         add_slip(registry, mo::graph_pass("Slip").run([](mo::Graph&, mo::PassContext& context) -> Expected<bool> {
           return mo::given_option(context.settings, "scale_valeus") != nullptr;
         }));
       }},
      {"absent input",
       [](mo::Registry& registry) {
         registry.passes().add(replacement_of(
             [](const mo::Node& node, mo::Rewriter& rw) { return rw.create(mo::ops::ReLU{}, node.input(7)); }));
       }},
      {"empty value",
       [](mo::Registry& registry) {
         registry.passes().add(replacement_of([](const mo::Node& node, mo::Rewriter& rw) {
           return rw.create(mo::ops::Add{}, node.input(0), mo::Value{});
         }));
       }},
      {"dimension that is not there",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph&, const mo::Node& node) {
                    std::getenv(node.output_type().shape[9].is_known() ? "A" : "B");
                  }));
       }},
      {"erase of a read node",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph& graph, const mo::Node& node) { mo::Rewriter(graph).erase(node); }));
       }},
      {"disconnected input",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph&, const mo::Node& node) { node.in_port(0).disconnect(); }));
       }},
      {"pattern of the model's own op",
       [](mo::Registry& registry) {
         registry.passes().add(mo::front_replacement_subgraph("Mine")
                                   .pattern({{"norm", {{"op", "RmsNorm"}}}}, {})
                                   .replace_sub_graph([](const mo::AliasMatch& match, mo::Rewriter&) -> Expected<bool> {
                                     return match["norm"].error("FOUND-0001", "found");
                                   }));
       }},
      {"op of the model",
       [](mo::Registry& registry) {
         registry.passes().add(mo::front_replacement_op("com.acme::RmsNorm")
                                   .replace_op([](const mo::Node& node, mo::Rewriter&) -> mo::Replacement {
                                     return node.error("FOUND-0001", "found");
                                   }));
       }},
      {"wrong replacement",
       [](mo::Registry& registry) {
         registry.passes().add(
             mo::front_replacement_op("Relu").replace_op([](const mo::Node& node, mo::Rewriter& rw) -> mo::Replacement {
               return rw.create(mo::ops::Abs{}, node.input(0));
             }));
       }},
      {"replaced op",
       [](mo::Registry& registry) {
         registry.passes().add(replacement_of([](const mo::Node& node, mo::Rewriter& rw) {
           return rw.create(mo::ops::Multiply{}, node.input(0), node.input(1));
         }));
       }},
      {"operator made behind extraction",
       [](mo::Registry& registry) {
         registry.passes().add(replacement_of([](const mo::Node& node, mo::Rewriter& rw) {
           return rw.create(mo::Op("onnx::Relu", mo::AttributeMap()), node.input(0));
         }));
       }},
      {"erase of a used node",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph& graph, const mo::Node& node) { graph.erase(node); }));
       }},
      {"cycle",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph&, const mo::Node& node) {
                    static_cast<void>(node.in_port(0).connect(node.output()));
                  }));
       }},
      {"unknown op",
       [](mo::Registry& registry) {
         add_slip(registry, slip([](mo::Graph& graph, const mo::Node& node) {
                    const mo::Node made = graph.create_node(mo::Op("Unheard", {}), {node.input(0)}, 1, "made");
                    made.output().data().set_type(node.output_type());
                    for (const mo::InPort& reader : node.output().get_destinations())
                      static_cast<void>(reader.connect(made.output()));
                  }));
       }},
      {"throwing op",
       [](mo::Registry& registry) {
         registry.ops().add<Throwing>();
         registry.operators("onnx").extract("com.acme::RmsNorm", [](const mo::FrameworkNode& node) -> Expected<mo::Op> {
           node.ignore({"epsilon"}, "a test");
           return Throwing{};
         });
       }},
  };
  return all;
}

void register_everything(mo::Registry& registry) {
  const char* wanted = std::getenv("BEHAVIOUR");
  behaviours().at(wanted ? wanted : "nothing")(registry);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const mo_plugin_description* mo_plugin_describe() {
  static const mo_plugin_description made{MO_PLUGIN_ABI_VERSION,
                                          std::getenv("OVERRIDES") ? MO_PLUGIN_OVERRIDES : 0U,
                                          MO_PLUGIN_BUILD_TAG,
                                          "behaviour",
                                          "1.0",
                                          &register_everything};
  return &made;
}
