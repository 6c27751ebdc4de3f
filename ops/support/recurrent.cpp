#include "ops/support/recurrent.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

using reference::CellKind;

/// Ports of the inputs: x, h, [c], [lengths], W, R, B.
struct RecurrentPorts {
  std::size_t data = 0;
  std::size_t hidden = 1;
  std::size_t cell;
  std::size_t lengths;
  std::size_t weights;
  std::size_t recurrence;
  std::size_t bias;
  std::size_t peepholes;

  explicit RecurrentPorts(const RecurrentOp& op)
      : cell(2),
        lengths(op.kind == CellKind::lstm ? 3 : 2),
        weights(lengths + (op.sequence ? 1 : 0)),
        recurrence(weights + 1),
        bias(weights + 2),
        peepholes(weights + 3) {}
};

/// Dimensions that several inputs share: what is known of each, merged.
class SharedDimensions {
 public:
  explicit SharedDimensions(const InferContext& ctx) : ctx_(ctx) {}

  /// The dimensions of input `i` agree with `dims` so far, and refine them.
  Expected<void> merge(std::size_t i, std::initializer_list<Dimension*> dims) {
    const PartialShape& shape = ctx_.input_shape(i);
    if (!shape.has_rank()) return {};
    if (shape.size() != dims.size()) return wrong(i, dims);
    std::size_t axis = 0;
    for (Dimension* d : dims) {
      const auto merged = d->merge(shape[axis++]);
      if (!merged) return wrong(i, dims);
      *d = *merged;
    }
    return {};
  }

 private:
  Diagnostic wrong(std::size_t i, std::initializer_list<Dimension*> dims) const {
    PartialShape wanted{std::vector<Dimension>()};
    for (const Dimension* d : dims) wanted.dims().push_back(*d);
    return ctx_
        .error("MO-OPS-0422", "input {} has shape {}, {} is expected", i, ctx_.input_shape(i).to_string(),
               wanted.to_string())
        .hint("hidden_size, direction and the shapes of weights and states belong together");
  }
  const InferContext& ctx_;
};

std::size_t activation_count(CellKind kind) { return kind == CellKind::rnn ? 1 : kind == CellKind::gru ? 2 : 3; }

Expected<std::vector<reference::Activation>> activations_of(const InferContext* infer, const EvalContext* eval,
                                                            const RecurrentOp& op) {
  const auto fail = [&](std::string text) {
    return (infer ? infer->error("MO-OPS-0421", "{}", text) : eval->error("MO-OPS-0421", "{}", text))
        .hint(
            "known are sigmoid, tanh, relu, hardsigmoid, scaledtanh, leakyrelu, thresholdedrelu, affine, elu, "
            "softsign, softplus");
  };
  if (op.activations.size() < activation_count(op.kind))
    return fail(
        fmt::format("{} activations are given, {} are needed", op.activations.size(), activation_count(op.kind)));
  std::vector<reference::Activation> functions;
  for (std::size_t i = 0; i < activation_count(op.kind); ++i) {
    auto function = reference::Activation::named(op.activations[i]);
    if (!function) return fail(fmt::format("the activation {} is not known", op.activations[i]));
    if (i < op.alphas.size()) function->alpha = op.alphas[i];
    if (i < op.betas.size()) function->beta = op.betas[i];
    functions.push_back(*function);
  }
  return functions;
}

/// f, i, c, o as places in "ifco" and the like.
std::array<std::size_t, 4> gate_places(LstmWeightsFormat format) {
  const std::string_view order = names_of(format)[static_cast<std::size_t>(format)];
  return {order.find('f'), order.find('i'), order.find('c'), order.find('o')};
}

/// A cell's tensor seen as that of a sequence: a dimension of 1 at `axis`.
Tensor with_axis(const Tensor& tensor, bool sequence, std::size_t axis) {
  if (sequence || tensor.empty()) return tensor;
  Shape shape = tensor.shape();
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  return tensor.reshaped(std::move(shape));
}

}  // namespace

Expected<void> infer_recurrent(InferContext& ctx, const RecurrentOp& op) {
  const RecurrentPorts ports(op);
  const bool lstm = op.kind == CellKind::lstm;
  MO_TRY(ctx.expect_inputs(ports.bias, op.peepholes ? ports.peepholes + 1 : ports.bias + 1));
  if (op.hidden_size < 1 || op.hidden_size > (std::int64_t{1} << 32))
    return ctx.error("MO-OPS-0420", "hidden_size is {}", op.hidden_size)
        .hint("hidden_size is the length of the state, at least 1");
  if (!(op.clip >= 0))
    return ctx.error("MO-OPS-0424", "clip is {}", op.clip).hint("clip is 0 (none) or the largest magnitude");
  MO_TRY(activations_of(&ctx, nullptr, op));
  ElementType type = ElementType::dynamic;
  if (lstm) {
    MO_ASSIGN(type, common_element_type(
                        ctx, {ports.data, ports.hidden, ports.cell, ports.weights, ports.recurrence, ports.bias}));
  } else {
    MO_ASSIGN(type, common_element_type(ctx, {ports.data, ports.hidden, ports.weights, ports.recurrence, ports.bias}));
  }
  MO_TRY(expect_element_type(ctx, ports.data, is_real, "a real type"));

  const bool both = op.direction == RecurrentDirection::bidirectional;
  Dimension batch;
  Dimension length;
  Dimension input;
  Dimension hidden = op.hidden_size;
  Dimension directions = both ? 2 : 1;
  Dimension rows = reference::gate_count(op.kind) * op.hidden_size;
  Dimension bias_rows =
      (reference::gate_count(op.kind) + (op.kind == CellKind::gru && op.linear_before_reset ? 1 : 0)) * op.hidden_size;
  Dimension peephole_rows = 3 * op.hidden_size;
  SharedDimensions shared(ctx);
  if (op.sequence) {
    MO_TRY(expect_element_type(ctx, ports.lengths, is_integral, "an integer type"));
    MO_TRY(shared.merge(ports.data, {&batch, &length, &input}));
    MO_TRY(shared.merge(ports.hidden, {&batch, &directions, &hidden}));
    if (lstm) MO_TRY(shared.merge(ports.cell, {&batch, &directions, &hidden}));
    MO_TRY(shared.merge(ports.lengths, {&batch}));
    MO_TRY(shared.merge(ports.weights, {&directions, &rows, &input}));
    MO_TRY(shared.merge(ports.recurrence, {&directions, &rows, &hidden}));
    if (ctx.has_input(ports.bias)) MO_TRY(shared.merge(ports.bias, {&directions, &bias_rows}));
    if (op.peepholes && ctx.has_input(ports.peepholes))
      MO_TRY(shared.merge(ports.peepholes, {&directions, &peephole_rows}));
    ctx.output(0, type, {batch, directions, length, hidden});
    ctx.output(1, type, {batch, directions, hidden});
    if (lstm) ctx.output(2, type, {batch, directions, hidden});
    return {};
  }
  MO_TRY(shared.merge(ports.data, {&batch, &input}));
  MO_TRY(shared.merge(ports.hidden, {&batch, &hidden}));
  if (lstm) MO_TRY(shared.merge(ports.cell, {&batch, &hidden}));
  MO_TRY(shared.merge(ports.weights, {&rows, &input}));
  MO_TRY(shared.merge(ports.recurrence, {&rows, &hidden}));
  if (ctx.has_input(ports.bias)) MO_TRY(shared.merge(ports.bias, {&bias_rows}));
  if (op.peepholes && ctx.has_input(ports.peepholes)) MO_TRY(shared.merge(ports.peepholes, {&peephole_rows}));
  ctx.output(0, type, {batch, hidden});
  if (lstm) ctx.output(1, type, {batch, hidden});
  return {};
}

Expected<void> evaluate_recurrent(EvalContext& ctx, const RecurrentOp& op) {
  const RecurrentPorts ports(op);
  if (op.peepholes && ctx.has_input(ports.peepholes)) {
    MO_ASSIGN(const std::vector<double> peepholes, ctx.reals(ports.peepholes));
    if (std::any_of(peepholes.begin(), peepholes.end(), [](double p) { return p != 0; }))
      return ctx.error("MO-OPS-0425", "peephole weights cannot be evaluated")
          .hint("the runtimes do not take them either; retrain the model without them");
  }
  reference::RecurrentParameters parameters;
  parameters.kind = op.kind;
  MO_ASSIGN(parameters.activations, activations_of(nullptr, &ctx, op));
  parameters.clip = op.clip;
  parameters.linear_before_reset = op.linear_before_reset;
  parameters.input_forget = op.input_forget;
  parameters.gates = gate_places(op.weights_format);
  parameters.direction = op.direction;

  reference::RecurrentInputs inputs;
  inputs.data = with_axis(ctx.input(ports.data), op.sequence, 1);
  inputs.hidden = with_axis(ctx.input(ports.hidden), op.sequence, 1);
  if (op.kind == CellKind::lstm) inputs.cell = with_axis(ctx.input(ports.cell), op.sequence, 1);
  inputs.weights = with_axis(ctx.input(ports.weights), op.sequence, 0);
  inputs.recurrence = with_axis(ctx.input(ports.recurrence), op.sequence, 0);
  if (ctx.has_input(ports.bias)) inputs.bias = with_axis(ctx.input(ports.bias), op.sequence, 0);
  if (op.sequence) {
    MO_ASSIGN(inputs.lengths, ctx.integers(ports.lengths));
    for (const std::int64_t length : inputs.lengths)
      if (length < 0 || length > inputs.data.shape()[1])
        return ctx.error("MO-OPS-0423", "a sequence length of {} is outside [0, {}]", length, inputs.data.shape()[1])
            .hint("check the input of sequence lengths");
  } else {
    inputs.lengths.assign(static_cast<std::size_t>(inputs.data.shape()[0]), 1);
  }
  MO_ASSIGN(reference::RecurrentOutputs outputs, reference::run_recurrent(inputs, parameters));
  if (op.sequence) {
    ctx.set_output(0, std::move(outputs.all));
    ctx.set_output(1, std::move(outputs.hidden));
    if (op.kind == CellKind::lstm) ctx.set_output(2, std::move(outputs.cell));
    return {};
  }
  const Shape& shape = ctx.input(ports.hidden).shape();
  ctx.set_output(0, outputs.hidden.reshaped(shape));
  if (op.kind == CellKind::lstm) ctx.set_output(1, outputs.cell.reshaped(shape));
  return {};
}

}  // namespace mo::ops
