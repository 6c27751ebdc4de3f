#include <algorithm>
#include <limits>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"
#include "ops/pad.hpp"
#include "ops/squeeze.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

Diagnostic damaged_pool(const FrameworkNode& node, std::string_view what) {
  return node.error("MO-ONNX-0406", "{}", what)
      .hint("the pool of n-grams is invalid: export the model again with a newer exporter");
}

/// The n-grams of one length in the pool, row by row, and their numbers among all n-grams.
struct Grams {
  std::int64_t length = 0;
  Integers elements;
  std::size_t first = 0;
  std::size_t count() const { return elements.size() / static_cast<std::size_t>(length); }
};

/// What to look for, and what it counts.
struct Vocabulary {
  std::vector<Grams> lists;     ///< of the lengths that are asked for; lengths without any are left out
  std::int64_t steps = 1;       ///< the elements of an n-gram are 1 to so many apart
  Integers columns;             ///< of each n-gram in the result
  std::vector<double> weights;  ///< of each n-gram; empty: 1
  bool only_presence = false;   ///< not how often
};

/// How many n-grams the pool holds, after checking that `starts` cuts it into lists of 1-grams, 2-grams …
Expected<std::size_t> gram_count(const FrameworkNode& node, const Integers& pool, const Integers& starts) {
  const auto size = static_cast<std::int64_t>(pool.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t end = i + 1 < starts.size() ? starts[i + 1] : size;
    const auto length = static_cast<std::int64_t>(i) + 1;
    if (starts[i] < 0 || end > size || starts[i] > end || (end - starts[i]) % length != 0)
      return damaged_pool(
          node, fmt::format("ngram_counts puts the {}-grams at elements {} to {} of {}", length, starts[i], end, size));
    count += static_cast<std::size_t>((end - starts[i]) / length);
  }
  return count;
}

/// The attributes of TfIdfVectorizer, checked.
Expected<Vocabulary> read_vocabulary(const FrameworkNode& node) {
  if (node.has("pool_strings"))
    return node.error("MO-ONNX-0405", "TfIdfVectorizer looks for strings, which the operations of an IR cannot compare")
        .hint(
            "turn words into numbers before the model, and export it with pool_int64s; or cut the model after it with "
            "--input");
  const auto mode = node.required<std::string>("mode");
  const auto shortest = node.required<std::int64_t>("min_gram_length");
  const auto longest = node.required<std::int64_t>("max_gram_length");
  const auto skips = node.required<std::int64_t>("max_skip_count");
  const auto pool = node.required<Integers>("pool_int64s");
  const auto starts = node.required<Integers>("ngram_counts");
  Vocabulary vocabulary{.columns = node.required<Integers>("ngram_indexes"),
                        .weights = node.attr("weights", std::vector<double>())};
  if (node.failure()) return *node.failure();
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF") return damaged_pool(node, fmt::format("mode is \"{}\"", mode));
  if (shortest < 1 || longest < shortest || longest > static_cast<std::int64_t>(starts.size()) || skips < 0)
    return damaged_pool(node, fmt::format("lengths {} to {} with up to {} skips, and ngram_counts has {} lengths",
                                          shortest, longest, skips, starts.size()));
  MO_ASSIGN(const std::size_t count, gram_count(node, pool, starts));
  constexpr std::int64_t kMostColumns = 1 << 20;
  for (const std::int64_t column : vocabulary.columns)
    if (column < 0 || column >= kMostColumns)
      return damaged_pool(node, fmt::format("ngram_indexes has the value {}", column));
  if (vocabulary.columns.size() != count || vocabulary.columns.empty() ||
      (!vocabulary.weights.empty() && vocabulary.weights.size() != count))
    return damaged_pool(node, fmt::format("{} n-grams, {} values in ngram_indexes and {} weights", count,
                                          vocabulary.columns.size(), vocabulary.weights.size()));
  if (mode == "TF") vocabulary.weights.clear();
  vocabulary.only_presence = mode == "IDF";
  vocabulary.steps = skips + 1;
  std::size_t first = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto begin = pool.begin() + static_cast<std::ptrdiff_t>(starts[i]);
    const auto end = i + 1 < starts.size() ? pool.begin() + static_cast<std::ptrdiff_t>(starts[i + 1]) : pool.end();
    Grams grams{.length = static_cast<std::int64_t>(i) + 1, .elements = Integers(begin, end), .first = first};
    first += grams.count();
    if (grams.length >= shortest && grams.length <= longest && !grams.elements.empty())
      vocabulary.lists.push_back(std::move(grams));
  }
  if (vocabulary.lists.empty()) return damaged_pool(node, "the pool has no n-grams of the requested lengths");
  return vocabulary;
}

/// Element i of every n-gram of the list, for each i.
std::vector<Term> gram_elements(Rewriter& rw, const Grams& grams) {
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
    // Element i of everything that fits into the row: the rest of it does not exceed the end.
    const std::int64_t behind = (length - 1 - i) * step;
    const Value window =
        slice_along(rw, rows, 1, i * step, behind == 0 ? std::numeric_limits<std::int64_t>::max() : -behind);
    const Term same = equal(Term(rw, window, ElementType::i64).unsqueezed({2}), elements[static_cast<std::size_t>(i)]);
    found = found ? both(*found, same) : same;
  }
  return reduced<ops::ReduceKind::sum>(found->as(ElementType::f32), {1}, false);
}

/// Column `columns[i]` of the result is the sum of the columns i of x, or 0 when there is none.
Expected<Value> arranged(const FrameworkNode& node, Rewriter& rw, const Value& x, const Integers& columns,
                         std::int64_t width) {
  std::vector<Integers> sources(static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < columns.size(); ++i)
    sources[static_cast<std::size_t>(columns[i])].push_back(static_cast<std::int64_t>(i));
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
        .hint("export the model with a unique value in ngram_indexes for each n-gram");
  const bool has_gaps = fewest < most;
  // The column after all others is zero.
  const Value padded =
      has_gaps ? rw.create(ops::v1::Pad{}, x, rw.integers({0, 0}), rw.integers({0, 1}), rw.scalar<float>(0)) : x;
  Value sum;
  for (std::size_t round = 0; round < most; ++round) {
    Integers from;
    for (const Integers& list : sources) from.push_back(round < list.size() ? list[round] : zeros);
    const Value part = rw.create(ops::Gather{}, padded, rw.integers(from), rw.scalar<std::int64_t>(1));
    sum = sum ? rw.create(ops::Add{}, sum, part) : part;
  }
  return sum;
}

/// How often each n-gram of one length is in each row [N, C], in any of the ways to skip elements; `length` is C.
/// 1-grams are counted once, as skips make no difference to them. `windows` counts the ways of all lengths.
Expected<Value> counted_with_skips(const FrameworkNode& node, Rewriter& rw, const Value& rows, const Dimension& length,
                                   const Grams& grams, std::int64_t steps, std::int64_t& windows) {
  constexpr std::int64_t kMostWindows = 4096;
  const std::vector<Term> elements = gram_elements(rw, grams);
  std::optional<Term> count;
  for (std::int64_t step = 1; step <= (grams.length == 1 ? 1 : steps); ++step) {
    // A row of known length has no n-grams that are longer.
    if (length.is_known() && grams.length - 1 > (length.value() - 1) / step) break;
    windows += grams.length;
    if (windows > kMostWindows)
      return node.error("MO-ONNX-0407", "the n-grams have more than {} positions", kMostWindows)
          .hint("export the model with fewer skips or shorter n-grams, or give the length of a row with --input_shape");
    const Term more = counted(rw, rows, elements, step);
    count = count ? *count + more : more;
  }
  if (count) return count->value();
  const auto size = static_cast<std::int64_t>(grams.count());
  return repeat(rw, rw.scalar<float>(0), join(rw, {length_along(rw, rows, 0), rw.integers({size})}));
}

/// ONNX TfIdfVectorizer-9: x of [C] or [N, C] -> for each row the weighted numbers of n-grams. The elements of an
/// n-gram are 1 to skips + 1 apart.
Replacement tf_idf_vectorizer(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const Vocabulary vocabulary, read_vocabulary(node));
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const PartialShape& shape = node.input_type(0).shape;
  const auto rank = shape.rank();
  if (rank && *rank != 1 && *rank != 2)
    return node.error("MO-ONNX-0407", "the tensor has {} dimensions", *rank)
        .hint("TfIdfVectorizer takes a row, or a batch of rows");
  const Dimension length = rank ? shape[static_cast<std::size_t>(*rank - 1)] : Dimension();

  Value rows = as_i64(rw, x);
  if (rank == 1) rows = Term(rw, rows, ElementType::i64).unsqueezed({0});
  if (!rank) rows = rw.create(ops::Reshape{}, rows, join(rw, {rw.integers({-1}), length_along(rw, x, -1)}));
  std::int64_t windows = 0;
  std::vector<Value> counts;
  Integers columns;
  std::vector<double> weights;
  for (const Grams& grams : vocabulary.lists) {
    MO_ASSIGN(const Value count, counted_with_skips(node, rw, rows, length, grams, vocabulary.steps, windows));
    counts.push_back(count);
    for (std::size_t i = grams.first; i < grams.first + grams.count(); ++i) {
      columns.push_back(vocabulary.columns[i]);
      if (!vocabulary.weights.empty()) weights.push_back(vocabulary.weights[i]);
    }
  }
  Value y = counts.size() == 1 ? counts.front() : rw.create(ops::Concat{.axis = 1}, counts);
  if (vocabulary.only_presence) y = rw.create(ops::Minimum{}, y, rw.scalar<float>(1));
  if (!weights.empty()) {
    MO_ASSIGN(Tensor factors, from_reals(ElementType::f32, {static_cast<std::int64_t>(weights.size())}, weights));
    y = rw.create(ops::Multiply{}, y, rw.constant(std::move(factors)));
  }
  const std::int64_t width = *std::max_element(vocabulary.columns.begin(), vocabulary.columns.end()) + 1;
  MO_ASSIGN(y, arranged(node, rw, y, columns, width));
  if (rank == 1) return rw.create(ops::Squeeze{}, y, rw.integers({0}));
  if (rank == 2) return y;
  return rw.create(ops::Reshape{}, y, join(rw, {slice_along(rw, shape_of(rw, x), 0, 0, -1), rw.integers({width})}));
}

}  // namespace

void register_text(OperatorTable& table) { table.translate("TfIdfVectorizer", since(9), tf_idf_vectorizer); }

}  // namespace mo::onnx
