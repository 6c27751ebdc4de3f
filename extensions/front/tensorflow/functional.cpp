#include <algorithm>

#include "extensions/front/tensorflow/support/graphs.hpp"
#include "extensions/front/tensorflow/support/loops.hpp"
#include "ops/build/lengths.hpp"
#include "ops/comparison.hpp"
#include "ops/if.hpp"
#include "ops/reduce.hpp"
#include "ops/select.hpp"

namespace mo {

/// The branches of a Case.
template <>
struct AttributeCodec<std::vector<Body>> {
  static constexpr AttributeKind kind = AttributeKind::list;
  static Expected<std::vector<Body>> decode(const AttributeValue& value) {
    // A list without elements has no kind of its own.
    if (const auto* numbers = value.get_if<std::vector<std::int64_t>>(); numbers && numbers->empty())
      return std::vector<Body>();
    const auto* list = value.get_if<AttributeList>();
    if (!list) return wrong_kind("a list of graphs", value);
    std::vector<Body> bodies;
    for (const AttributeValue& item : *list) {
      const Body* body = item.get_if<Body>();
      if (!body) return wrong_kind("a graph", item);
      bodies.push_back(body->clone());
    }
    return bodies;
  }
};

}  // namespace mo

namespace mo::front::tensorflow {
namespace {

using namespace build;

Diagnostic misfit(const Node& node, std::string_view what) {
  return node.error("MO-TF-0755", "a branch does not fit its node: {}", what)
      .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
}

/// Both branches take all arguments in order.
Expected<Node> make_if(Rewriter& rw, const Node& origin, const Value& condition, Body then_body, Body else_body,
                       const std::vector<Value>& arguments, std::size_t output_count) {
  ops::If op;
  std::vector<Value> inputs = {condition};
  inputs.insert(inputs.end(), arguments.begin(), arguments.end());
  const auto fill = [&](Body& body, std::vector<ops::InputMap>& input_map,
                        std::vector<ops::OutputMap>& output_map) -> Expected<void> {
    const std::vector<Node> parameters = body.graph().parameters();
    if (parameters.size() != arguments.size())
      return misfit(origin, fmt::format("it takes {} arguments and gets {}", parameters.size(), arguments.size()));
    if (body.graph().results().size() < output_count)
      return misfit(origin, fmt::format("it has {} of {} outputs", body.graph().results().size(), output_count));
    for (std::size_t i = 0, kept = 0; i < parameters.size(); ++i) {
      const auto* constant = plain(arguments[i]).node().as<Const>();
      if (constant && !constant->value.empty()) {
        const Node copy = body.graph().create_constant(constant->value, plain(arguments[i]).node().name());
        MO_TRY(parameters[i].output().get_connection().set_source(copy.output()));
      }
      if (parameters[i].output().disconnected()) {
        body.graph().erase(parameters[i]);
        continue;
      }
      ops::InputMap map;
      map.input = static_cast<std::int64_t>(i) + 1;
      map.parameter = static_cast<std::int64_t>(kept++);
      input_map.push_back(map);
    }
    for (std::size_t i = 0; i < output_count; ++i) {
      ops::OutputMap map;
      map.output = map.result = static_cast<std::int64_t>(i);
      output_map.push_back(map);
    }
    return {};
  };
  MO_TRY(fill(then_body, op.then_input_map, op.then_output_map));
  MO_TRY(fill(else_body, op.else_input_map, op.else_output_map));
  op.then_body = std::move(then_body);
  op.else_body = std::move(else_body);
  return rw.create_node(std::move(op), inputs, output_count);
}

Expected<std::vector<Value>> arguments_of(const FrameworkNode& node) {
  MO_TRY(node.expect_inputs(node.input_count()));
  std::vector<Value> arguments;
  for (std::size_t i = 1; i < node.input_count(); ++i) arguments.push_back(node.input(i));
  return arguments;
}

/// The branch that is certainly taken, in place of the node.
Replacement taken_branch(const Node& node, Rewriter& rw, const Body& branch, const std::vector<Value>& arguments) {
  if (const std::size_t taken = branch.graph().parameters().size(); taken != arguments.size())
    return misfit(node, fmt::format("it takes {} arguments and gets {}", taken, arguments.size()));
  MO_ASSIGN(const std::vector<Value> made, rw.inline_body(branch.graph(), arguments, BodyFate::used_up));
  if (made.size() < node.out_port_count()) return misfit(node, "it has too few outputs");
  return Outputs(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(node.out_port_count()));
}

/// TensorFlow's truth: a boolean scalar, a number that is not 0, a tensor of another rank that has elements.
Value truth_of(Rewriter& rw, const Value& condition, ElementType type) {
  if (const auto rank = constant_type(condition).rank(); rank && *rank > 0) {
    const Value count = rw.create(ops::ReduceProd{}, shape_of(rw, condition), rw.integers({0}));
    return rw.create(ops::NotEqual{}, count, rw.scalar<std::int64_t>(0));
  }
  if (type == ElementType::boolean) return condition;
  return rw.create(ops::NotEqual{}, condition, number_like(rw, condition, 0));
}

Replacement replace_if(const Node& node, Rewriter& rw) {
  const FrameworkNode attributes(node);
  Body then_body = attributes.take_body("then_branch");
  Body else_body = attributes.take_body("else_branch");
  if (attributes.failure()) return *attributes.failure();
  const Value condition = node.input(0);
  MO_ASSIGN(const std::vector<Value> arguments, arguments_of(attributes));
  const auto rank = constant_type(condition).rank();
  if (const auto known = constant_integer(condition); known && rank == 0)
    return taken_branch(node, rw, *known != 0 ? then_body : else_body, arguments);
  ElementType type = constant_type(condition).element_type;
  if (type == ElementType::dynamic) type = attributes.attr("Tcond", ElementType::boolean);
  if (type == ElementType::string && rank.value_or(0) == 0)
    return node.error("MO-TF-0756", "the condition is a string")
        .hint("the IR has no conditions on strings: cut the model with --input and --output");
  MO_ASSIGN(const Node made, make_if(rw, node, truth_of(rw, condition, type), std::move(then_body),
                                     std::move(else_body), arguments, node.out_port_count()));
  return Outputs(made.out_ports());
}

/// Branches first … last - 1 as nested Ifs, the depth of which is the logarithm of their number. Body: index, arguments
/// -> outputs.
Expected<Body> choose(const Node& origin, const std::vector<Body>& branches, std::size_t first, std::size_t last,
                      std::size_t argument_count, std::size_t output_count) {
  Body body;
  Rewriter rw(body.graph());
  const Value index = body.graph().create_parameter({ElementType::i32, PartialShape(Shape{})}, "branch_index").output();
  std::vector<Value> arguments;
  for (std::size_t i = 0; i < argument_count; ++i)
    arguments.push_back(body.graph().create_parameter({}, fmt::format("argument_{}", i)).output());
  std::vector<Value> results;
  if (last - first == 1) {
    if (const std::size_t taken = branches[first].graph().parameters().size(); taken != argument_count)
      return misfit(origin, fmt::format("it takes {} arguments and gets {}", taken, argument_count));
    MO_ASSIGN(results, rw.inline_body(branches[first].graph(), arguments, BodyFate::used_up));
    if (results.size() < output_count) return misfit(origin, "it has too few outputs");
  } else {
    const std::size_t middle = first + (last - first) / 2;
    MO_ASSIGN(Body lower, choose(origin, branches, first, middle, argument_count, output_count));
    MO_ASSIGN(Body upper, choose(origin, branches, middle, last, argument_count, output_count));
    const Value is_lower = rw.create(ops::Less{}, index, rw.scalar(static_cast<std::int32_t>(middle)));
    std::vector<Value> inputs = {index};
    inputs.insert(inputs.end(), arguments.begin(), arguments.end());
    MO_ASSIGN(const Node made, make_if(rw, origin, is_lower, std::move(lower), std::move(upper), inputs, output_count));
    for (const OutPort& port : made.out_ports()) results.push_back(port);
  }
  for (std::size_t i = 0; i < output_count; ++i) body.graph().create_result(results[i]);
  return body;
}

/// Case(i, args) -> nested Ifs. TensorFlow Case: an index outside of the branches takes the last one.
Replacement replace_case(const Node& node, Rewriter& rw) {
  const FrameworkNode attributes(node);
  auto branches = attributes.required<std::vector<Body>>("branches");
  if (attributes.failure()) return *attributes.failure();
  if (branches.empty())
    return node.error("MO-TF-0757", "there are no branches").hint("export the model again with a newer exporter");
  MO_ASSIGN(const std::vector<Value> arguments, arguments_of(attributes));
  const auto count = static_cast<std::int64_t>(branches.size());
  const auto known = constant_integer(node.input(0));
  if (known || count == 1) {
    const std::int64_t taken = known && *known >= 0 && *known < count ? *known : count - 1;
    return taken_branch(node, rw, branches[static_cast<std::size_t>(taken)], arguments);
  }
  MO_ASSIGN(const Body body, choose(node, branches, 0, branches.size(), arguments.size(), node.out_port_count()));
  // Negative numbers take the last branch; too large ones do by comparison.
  const Value index = as_type(rw, node.input(0), ElementType::i32);
  const Value is_negative = rw.create(ops::Less{}, index, rw.scalar<std::int32_t>(0));
  std::vector<Value> inputs = {
      rw.create(ops::Select{}, is_negative, rw.scalar(static_cast<std::int32_t>(count - 1)), index)};
  inputs.insert(inputs.end(), arguments.begin(), arguments.end());
  return taken_branch(node, rw, body, inputs);
}

}  // namespace

void register_functional(PassRegistry& passes) {
  const auto ordered = [](std::string name) {
    return graph_rewrite(std::move(name)).phase(Phase::extraction).run_after({"TfSwitch"});
  };
  passes.add(ordered("TfIf").add(structural_rule({"tf::If", "tf::StatelessIf"}, 1, replace_if)));
  passes.add(ordered("TfCase").add(structural_rule({"tf::Case", "tf::StatelessCase"}, 1, replace_case)));
  passes.add(ordered("TfWhile")
                 .run_after({"TfIf", "TfCase"})
                 .add(structural_rule({"tf::While", "tf::StatelessWhile"}, 0, make_loop)));
}

}  // namespace mo::front::tensorflow
