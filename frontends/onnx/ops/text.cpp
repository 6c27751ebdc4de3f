#include "core/registry/operator_table.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

Diagnostic damaged(const FrameworkNode& node, std::string_view what) {
  return node.error("MO-ONNX-0406", "{}", what).hint("the pool of n-grams is damaged: check how the model was exported");
}

/// How many n-grams the pool holds, after checking that `starts` cuts it into lists of 1-grams, 2-grams …
Expected<std::size_t> gram_count(const FrameworkNode& node, const Integers& pool, const Integers& starts) {
  const auto size = static_cast<std::int64_t>(pool.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t end = i + 1 < starts.size() ? starts[i + 1] : size;
    const auto length = static_cast<std::int64_t>(i) + 1;
    if (starts[i] < 0 || end > size || starts[i] > end || (end - starts[i]) % length != 0)
      return damaged(node, fmt::format("ngram_counts says that the {}-grams are elements {} to {} of {}", length, starts[i], end, size));
    count += static_cast<std::size_t>((end - starts[i]) / length);
  }
  return count;
}

/// ONNX TfIdfVectorizer-9. The attributes are checked here, so that the replacer may trust them.
Expected<Op> extract_tf_idf(const FrameworkNode& node) {
  if (node.has("pool_strings"))
    return node.error("MO-ONNX-0405", "TfIdfVectorizer looks for strings, which the operations of an IR cannot compare")
        .hint("turn words into numbers before the model, and export it with pool_int64s; or cut the model behind it with --input");
  const std::string mode = node.required<std::string>("mode");
  const auto shortest = node.required<std::int64_t>("min_gram_length");
  const auto longest = node.required<std::int64_t>("max_gram_length");
  const auto skips = node.required<std::int64_t>("max_skip_count");
  const auto pool = node.required<Integers>("pool_int64s");
  const auto starts = node.required<Integers>("ngram_counts");
  const auto columns = node.required<Integers>("ngram_indexes");
  const auto weights = node.attr("weights", std::vector<double>());
  if (node.failure()) return *node.failure();
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF") return damaged(node, fmt::format("mode is \"{}\"", mode));
  if (shortest < 1 || longest < shortest || longest > static_cast<std::int64_t>(starts.size()) || skips < 0)
    return damaged(node,
                   fmt::format("lengths {} to {} with up to {} skips, and ngram_counts knows {} lengths", shortest, longest, skips, starts.size()));
  MO_ASSIGN(const std::size_t count, gram_count(node, pool, starts));
  constexpr std::int64_t kMostColumns = 1 << 20;
  for (const std::int64_t column : columns)
    if (column < 0 || column >= kMostColumns) return damaged(node, fmt::format("ngram_indexes has the number {}", column));
  if (columns.size() != count || columns.empty() || (!weights.empty() && weights.size() != count))
    return damaged(node, fmt::format("{} n-grams, {} numbers in ngram_indexes and {} weights", count, columns.size(), weights.size()));
  return front_op("OnnxTfIdfVectorizer", {{"shortest", shortest},
                                          {"longest", longest},
                                          {"skips", skips},
                                          {"pool", pool},
                                          {"starts", starts},
                                          {"columns", columns},
                                          {"weights", mode == "TF" ? std::vector<double>() : weights},
                                          {"only_presence", mode == "IDF"}});
}

}  // namespace

void register_text(OperatorTable& table) { table.extract("TfIdfVectorizer", since(9), extract_tf_idf); }

}  // namespace mo::onnx
