#include "phases/middle/interface_layout.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "core/graph/model_ends.hpp"
#include "core/graph/moved_names.hpp"
#include "core/graph/tensor_layout.hpp"
#include "core/support/nearest.hpp"
#include "core/tensor/permute.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::phases {
namespace {

std::vector<std::string> names_of(const std::vector<Node>& ends) {
  std::vector<std::string> names;
  for (const Node& end : ends)
    names.emplace_back(end.is<Result>() && end.input(0) ? end.input(0).node().name() : end.name());
  return names;
}

/// The input of the same position among `inputs`; there must be as many layouts without a name.
Expected<Node> find_nameless(const std::vector<Node>& inputs, std::size_t position, std::size_t count) {
  if (count == inputs.size()) return inputs[position];
  return error("MO-PRE-0011", "{} layout{} without a name for {} inputs", count, count == 1 ? "" : "s", inputs.size())
      .hint("name them: --layout \"name(nchw)\"; the inputs are: {}", fmt::join(names_of(inputs), ", "));
}

Expected<Node> find_named(const std::vector<Node>& inputs, const std::vector<Node>& outputs, const std::string& name) {
  for (const std::vector<Node>* ends : {&inputs, &outputs})
    for (const Node& end : *ends)
      if (is_called(end, name)) return end;
  std::vector<std::string> known = names_of(inputs);
  for (std::string& output : names_of(outputs)) known.push_back(std::move(output));
  return error("MO-PRE-0001", "--layout: the model has no input or output '{}'", name)
      .hint("{}there are: {}", did_you_mean(name, known), fmt::join(known, ", "));
}

/// What the requests say of one tensor: the layouts of the model and of the IR may come from two of them.
struct Said {
  Node end;
  std::optional<Layout> model;
  std::optional<Layout> tensor;
};

Expected<void> add(std::vector<Said>& all, const Node& end, const LayoutRequest& request) {
  auto known = std::find_if(all.begin(), all.end(), [&](const Said& said) { return said.end == end; });
  if (known == all.end()) known = all.insert(all.end(), {end, {}, {}});
  if ((known->model && request.model) || (known->tensor && request.tensor))
    return end.error("MO-PRE-0010", "two layouts for '{}'", names_of({end}).front())
        .hint("keep one of them; a tensor may have several names");
  if (request.model) known->model = request.model;
  if (request.tensor) known->tensor = request.tensor;
  return {};
}

Diagnostic misfit(const Node& end, const Layout& layout) {
  return end
      .error("MO-PRE-0010", "layout {} does not fit '{}' of shape {}", layout.to_string(), names_of({end}).front(),
             tensor_of_end(end).type().shape.to_string())
      .hint("name every dimension once; use `?` and `...` for those that do not matter");
}

Expected<std::size_t> known_rank(const Node& end) {
  const auto rank = tensor_of_end(end).type().rank();
  if (rank) return static_cast<std::size_t>(*rank);
  return end
      .error("MO-PRE-0010", "the layout of '{}' cannot be changed: its number of dimensions is not known",
             names_of({end}).front())
      .hint("give the shape with --input_shape");
}

Diagnostic no_correspondence(const Node& end, const InterfaceLayout& layout) {
  return end
      .error("MO-PRE-0012", "{} cannot become {}: they name different dimensions", layout.model.to_string(),
             layout.tensor->to_string())
      .hint("use the same names on both sides of ->");
}

/// `whole` in the order of `part`, which leaves dimensions of size 1 out: those come first.
struct Expansion {
  std::vector<std::string> names;
  std::vector<std::int64_t> new_axes;
};
std::optional<Expansion> expanded(const std::vector<std::string>& part, const std::vector<std::string>& whole) {
  const auto nameless = [](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), "") != names.end();
  };
  if (nameless(part) || nameless(whole)) return std::nullopt;
  Expansion made;
  for (const std::string& name : whole)
    if (std::find(part.begin(), part.end(), name) == part.end()) made.names.push_back(name);
  if (made.names.size() + part.size() != whole.size()) return std::nullopt;
  made.new_axes.resize(made.names.size());
  std::iota(made.new_axes.begin(), made.new_axes.end(), 0);
  made.names.insert(made.names.end(), part.begin(), part.end());
  return made;
}

/// What the model's layout of `rank` makes of the tensor's: how many dimensions are added in front, then the order of a
/// Transpose.
struct Way {
  std::vector<std::int64_t> new_axes;
  std::vector<std::int64_t> order;
};
std::optional<Way> way_to_model(const InterfaceLayout& layout, std::size_t rank) {
  const std::vector<std::string> model = layout.model.names(rank);
  Expansion tensor;
  if (layout.tensor->fits(rank)) {
    tensor.names = layout.tensor->names(rank);
  } else {
    std::size_t size = 0;
    while (size < rank && !layout.tensor->fits(size)) ++size;
    if (size == rank) return std::nullopt;
    auto found = expanded(layout.tensor->names(size), model);
    if (!found) return std::nullopt;
    tensor = *std::move(found);
  }
  auto order = order_between(tensor.names, model);
  if (!order) return std::nullopt;
  return Way{std::move(tensor.new_axes), *std::move(order)};
}

Expected<void> change_input(Rewriter& rewriter, const InterfaceLayout& layout) {
  const Node& parameter = layout.end;
  MO_ASSIGN(const std::size_t rank, known_rank(parameter));
  const auto way = way_to_model(layout, rank);
  if (!way) return no_correspondence(parameter, layout);
  const PartialShape before = permuted(parameter.output().type().shape, inverse_order(way->order));
  for (std::size_t i = 0; i < way->new_axes.size(); ++i)
    if (before[i].is_known() && before[i] != Dimension(1)) return misfit(parameter, *layout.tensor);
  const auto first = before.begin() + static_cast<std::ptrdiff_t>(way->new_axes.size());
  const std::vector<InPort> readers = parameter.output().get_destinations();
  parameter.output().disconnect();
  parameter.as<Parameter>()->shape = PartialShape(std::vector<Dimension>(first, before.end()));
  rewriter.changed(parameter);
  Value value = parameter.output();
  if (!way->new_axes.empty()) value = rewriter.create(ops::Unsqueeze{}, value, rewriter.integers(way->new_axes));
  if (!is_identity_order(way->order)) value = rewriter.create(ops::Transpose{}, value, rewriter.integers(way->order));
  for (const InPort& reader : readers) MO_TRY(reader.connect(value));
  for (const Node& made : rewriter.take_created()) made.add_source(parameter.name());
  return {};
}

Expected<void> change_output(Rewriter& rewriter, const InterfaceLayout& layout) {
  MO_ASSIGN(const std::size_t rank, known_rank(layout.end));
  if (!layout.tensor->fits(rank)) return misfit(layout.end, *layout.tensor);
  const auto order = order_between(layout.model.names(rank), layout.tensor->names(rank));
  if (!order) return no_correspondence(layout.end, layout);
  if (is_identity_order(*order)) return {};
  const Value model = layout.end.input(0);
  const Value changed = rewriter.create(ops::Transpose{}, model, rewriter.integers(*order));
  if (!model.node().is<Parameter>()) move_names(model, changed);
  for (const Node& made : rewriter.take_created()) made.add_sources_of(model.node());
  return layout.end.in_port(0).connect(changed);
}

}  // namespace

Expected<std::vector<InterfaceLayout>> find_interface_layouts(const Graph& graph,
                                                              const std::vector<LayoutRequest>& requests) {
  if (requests.empty()) return std::vector<InterfaceLayout>();
  const std::vector<Node> inputs = graph.parameters();
  const std::vector<Node> outputs = graph.results();
  const auto nameless = static_cast<std::size_t>(
      std::count_if(requests.begin(), requests.end(), [](const auto& request) { return !request.name; }));
  std::vector<Said> all;
  std::size_t position = 0;
  for (const LayoutRequest& request : requests) {
    MO_ASSIGN(const Node end,
              request.name ? find_named(inputs, outputs, *request.name) : find_nameless(inputs, position++, nameless));
    MO_TRY(add(all, end, request));
  }
  std::vector<InterfaceLayout> found;
  for (Said& said : all) {
    if (!said.model && !said.tensor) continue;
    // One of them alone says how the tensor is, inside and outside.
    InterfaceLayout layout{said.end, said.model ? *said.model : *said.tensor, said.model ? said.tensor : std::nullopt};
    if (const auto rank = tensor_of_end(layout.end).type().rank();
        rank && !layout.model.fits(static_cast<std::size_t>(*rank)))
      return misfit(layout.end, layout.model);
    found.push_back(std::move(layout));
  }
  return found;
}

Expected<void> apply_interface_layouts(Rewriter& rewriter, const std::vector<InterfaceLayout>& layouts) {
  for (const InterfaceLayout& layout : layouts) {
    if (layout.tensor)
      MO_TRY(layout.end.is<Result>() ? change_output(rewriter, layout) : change_input(rewriter, layout));
    if (rewriter.error()) return *rewriter.error();
    set_tensor_layout(layout.end, (layout.tensor ? *layout.tensor : layout.model).to_string(),
                      layout.tensor.has_value());
  }
  return {};
}

}  // namespace mo::phases
