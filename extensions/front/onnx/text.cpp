#include <algorithm>
#include <limits>

#include "core/tensor/convert.hpp"
#include "extensions/support/term.hpp"
#include "ops/concat.hpp"
#include "ops/pad.hpp"
#include "ops/squeeze.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

/// The n-grams of one length in the pool, row by row, and their numbers among all n-grams.
struct Grams {
  std::int64_t length = 0;
  Integers elements;
  std::size_t first = 0;
  std::size_t count() const { return elements.size() / static_cast<std::size_t>(length); }
};

/// Those of the lengths that are asked for; lengths without any are left out.
std::vector<Grams> grams_of(const Node& node) {
  const auto pool = node.attr<Integers>("pool").value_or(Integers{});
  const auto starts = node.attr<Integers>("starts").value_or(Integers{});
  const auto shortest = node.attr<std::int64_t>("shortest").value_or(1);
  const auto longest = node.attr<std::int64_t>("longest").value_or(0);
  std::vector<Grams> lists;
  std::size_t first = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto begin = pool.begin() + static_cast<std::ptrdiff_t>(starts[i]);
    const auto end = i + 1 < starts.size() ? pool.begin() + static_cast<std::ptrdiff_t>(starts[i + 1]) : pool.end();
    Grams grams{.length = static_cast<std::int64_t>(i) + 1, .elements = Integers(begin, end), .first = first};
    first += grams.count();
    if (grams.length >= shortest && grams.length <= longest && !grams.elements.empty()) lists.push_back(std::move(grams));
  }
  return lists;
}

/// Element i of every n-gram of the list, for each i.
std::vector<Term> elements_of(Rewriter& rw, const Grams& grams) {
  std::vector<Term> elements;
  for (std::int64_t i = 0; i < grams.length; ++i) {
    Integers wanted;
    for (std::size_t gram = 0; gram < grams.count(); ++gram)
      wanted.push_back(grams.elements[gram * static_cast<std::size_t>(grams.length) + static_cast<std::size_t>(i)]);
    elements.emplace_back(rw, rw.integers(wanted), ElementType::i64);
  }
  return elements;
}

/// How often each n-gram is in a row: [N, count]. `rows` is [N, C]; the elements of an n-gram are `step` apart.
Term counted(Rewriter& rw, const Value& rows, const std::vector<Term>& elements, std::int64_t step) {
  const auto length = static_cast<std::int64_t>(elements.size());
  std::optional<Term> found;
  for (std::int64_t i = 0; i < length; ++i) {
    // Element i of everything that fits into the row: the rest of it does not lie behind the end.
    const std::int64_t behind = (length - 1 - i) * step;
    const Value window = slice_along(rw, rows, 1, i * step, behind == 0 ? std::numeric_limits<std::int64_t>::max() : -behind);
    const Term same = equal(Term(rw, window, ElementType::i64).unsqueezed({2}), elements[static_cast<std::size_t>(i)]);
    found = found ? both(*found, same) : same;
  }
  return reduced<ops::ReduceKind::sum>(found->as(ElementType::f32), {1}, false);
}

/// Column `columns[i]` of the result is the sum of the columns i of x, or 0 when there is none.
Replacement arranged(const Node& node, Rewriter& rw, const Value& x, const Integers& columns, std::int64_t width) {
  std::vector<Integers> sources(static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < columns.size(); ++i) sources[static_cast<std::size_t>(columns[i])].push_back(static_cast<std::int64_t>(i));
  const auto zeros = static_cast<std::int64_t>(columns.size());
  std::size_t most = 1;
  std::size_t fewest = columns.size();
  bool in_order = zeros == width;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    most = std::max(most, sources[i].size());
    fewest = std::min(fewest, sources[i].size());
    in_order = in_order && sources[i] == Integers{static_cast<std::int64_t>(i)};
  }
  if (in_order) return x;
  constexpr std::size_t kMostSources = 64;
  if (most > kMostSources)
    return node.error("MO-ONNX-0407", "{} n-grams count for the same element of the result", most)
        .hint("export the model with a number of its own in ngram_indexes for each n-gram");
  const bool has_gaps = fewest < most;
  // The column behind all others is zero.
  const Value padded = has_gaps ? rw.create(ops::Pad{}, x, rw.integers({0, 0}), rw.integers({0, 1}), rw.scalar<float>(0)) : x;
  Value sum;
  for (std::size_t round = 0; round < most; ++round) {
    Integers from;
    for (const Integers& list : sources) from.push_back(round < list.size() ? list[round] : zeros);
    const Value part = rw.create(ops::Gather{}, padded, rw.integers(from), rw.scalar<std::int64_t>(1));
    sum = sum ? rw.create(ops::Add{}, sum, part) : part;
  }
  return sum;
}

/// ONNX TfIdfVectorizer-9: x of [C] or [N, C] -> for each row the weighted numbers of n-grams. The elements of an n-gram are 1 to skips + 1
/// apart; 1-grams are counted once, as skips make no difference to them.
Replacement replace_tf_idf(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!x) return missing_input(node);
  const std::vector<Grams> lists = grams_of(node);
  const auto all_columns = node.attr<Integers>("columns").value_or(Integers{});
  if (lists.empty() || all_columns.empty())
    return node.error("MO-ONNX-0406", "the pool has no n-grams of the lengths that are looked for")
        .hint("the pool of n-grams is damaged: check how the model was exported");
  const PartialShape shape = known_shape(x);
  const auto rank = shape.rank();
  if (rank && *rank != 1 && *rank != 2)
    return node.error("MO-ONNX-0407", "the tensor has {} dimensions", *rank).hint("TfIdfVectorizer takes a row, or a batch of rows");
  const Dimension length = rank ? shape[static_cast<std::size_t>(*rank - 1)] : Dimension();

  Value rows = as_i64(rw, x);
  if (rank == 1) rows = Term(rw, rows, ElementType::i64).unsqueezed({0});
  if (!rank) rows = rw.create(ops::Reshape{}, rows, join(rw, {rw.integers({-1}), length_along(rw, x, -1)}));
  const auto steps = node.attr<std::int64_t>("skips").value_or(0) + 1;
  constexpr std::int64_t kMostWindows = 4096;
  std::int64_t windows = 0;
  std::vector<Value> counts;
  Integers columns;
  std::vector<double> weights;
  const auto all_weights = node.attr<std::vector<double>>("weights").value_or(std::vector<double>{});
  for (const Grams& grams : lists) {
    const std::vector<Term> elements = elements_of(rw, grams);
    std::optional<Term> count;
    for (std::int64_t step = 1; step <= (grams.length == 1 ? 1 : steps); ++step) {
      // A row of known length has no n-grams that are longer.
      if (length.is_known() && grams.length - 1 > (length.value() - 1) / step) break;
      windows += grams.length;
      if (windows > kMostWindows)
        return node.error("MO-ONNX-0407", "the n-grams are looked for in more than {} ways", kMostWindows)
            .hint("export the model with fewer skips or shorter n-grams, or give the length of a row with --input_shape");
      const Term more = counted(rw, rows, elements, step);
      count = count ? *count + more : more;
    }
    const Value none = rw.scalar<float>(0);
    const auto size = static_cast<std::int64_t>(grams.count());
    counts.push_back(count ? count->value() : repeat(rw, none, join(rw, {length_along(rw, rows, 0), rw.integers({size})})));
    for (std::size_t i = grams.first; i < grams.first + grams.count(); ++i) {
      columns.push_back(all_columns[i]);
      if (!all_weights.empty()) weights.push_back(all_weights[i]);
    }
  }
  Value y = counts.size() == 1 ? counts.front() : rw.create(ops::Concat{.axis = 1}, counts);
  if (node.attr<bool>("only_presence").value_or(false)) y = rw.create(ops::Minimum{}, y, rw.scalar<float>(1));
  if (!weights.empty()) {
    auto factors = from_reals(ElementType::f32, {static_cast<std::int64_t>(weights.size())}, weights);
    if (!factors) return std::move(factors).error();
    y = rw.create(ops::Multiply{}, y, rw.constant(*std::move(factors)));
  }
  const std::int64_t width = *std::max_element(all_columns.begin(), all_columns.end()) + 1;
  Replacement done = arranged(node, rw, y, columns, width);
  if (done.error()) return done;
  y = done.outputs().front();
  if (rank == 1) return rw.create(ops::Squeeze{}, y, rw.integers({0}));
  if (rank == 2) return y;
  return rw.create(ops::Reshape{}, y, join(rw, {slice_along(rw, shape_of(rw, x), 0, 0, -1), rw.integers({width})}));
}

}  // namespace

void register_text(PassRegistry& passes) { passes.add(front_replacement_op("OnnxTfIdfVectorizer").replace_op(replace_tf_idf)); }

}  // namespace mo::front::onnx
