#include "ops/reference/take.hpp"

#include <algorithm>
#include <cstring>

#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {
namespace {

/// A stretch of the innermost table: `length` indices that follow each other, or that are all kFill.
struct Run {
  std::int64_t at;
  std::int64_t from;
  std::int64_t length;
};

std::vector<Run> runs_of(const std::vector<std::int64_t>& table) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!runs.empty()) {
      Run& last = runs.back();
      if (last.from == kFill ? table[i] == kFill : table[i] == last.from + last.length) {
        ++last.length;
        continue;
      }
    }
    runs.push_back({static_cast<std::int64_t>(i), table[i], 1});
  }
  return runs;
}

}  // namespace

void take(const Tensor& data, const std::vector<std::vector<std::int64_t>>& tables, const Tensor& fill, Tensor& out) {
  if (out.element_count() == 0) return;
  const std::vector<std::int64_t> strides = row_major_strides(data.shape());
  visit_width(element_width(data.element_type()), [&]<class W>(W) {
    W filler{};
    if (!fill.empty()) filler = *words<W>(fill);
    const W* from = words<W>(data);
    W* to = mutable_words<W>(out);
    if (tables.empty()) {
      *to = *from;
      return;
    }
    const std::size_t outer = tables.size() - 1;
    const auto row = static_cast<std::int64_t>(tables[outer].size());
    const std::vector<Run> runs = runs_of(tables[outer]);
    std::vector<std::size_t> index(outer);
    while (true) {
      std::int64_t start = 0;
      bool filled = false;
      for (std::size_t d = 0; d < outer; ++d) {
        const std::int64_t i = tables[d][index[d]];
        filled = filled || i == kFill;
        start += i * strides[d];
      }
      if (filled) {
        std::fill_n(to, row, filler);
      } else {
        for (const Run& run : runs) {
          if (run.from == kFill)
            std::fill_n(to + run.at, run.length, filler);
          else
            std::memcpy(to + run.at, from + start + run.from, static_cast<std::size_t>(run.length) * sizeof(W));
        }
      }
      to += row;
      std::size_t d = outer;
      while (d-- > 0) {
        if (++index[d] < tables[d].size()) break;
        index[d] = 0;
      }
      if (d == static_cast<std::size_t>(-1)) return;
    }
  });
}

}  // namespace mo::ops::reference
