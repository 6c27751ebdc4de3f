#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/types/dimension.hpp"

namespace mo {

/// The symbols of a graph's unknown dimensions. Products and quotients of unknown sizes have symbols of their own, one
/// for each value, so that two computations of the same size are seen to be equal, and a size is known again when the
/// unknown factors cancel: [n, 16, 64] -> [16 * n, -1] leaves 64.
class SizeSymbols {
 public:
  using Symbol = Dimension::Symbol;

  /// A symbol that no dimension has yet.
  Symbol fresh() { return ++last_; }
  /// Symbols up to `symbol` are in use.
  void reserve(Symbol symbol) { last_ = symbol > last_ ? symbol : last_; }

  /// The product of the sizes `of` divided by that of `by`, which leaves no remainder: a known size, or `interval` with
  /// the symbol of that quotient. `interval` as it is when a factor has no symbol or is not above 0, or when there are
  /// too many of them.
  Dimension quotient(std::span<const Dimension> of, std::span<const Dimension> by, const Dimension& interval);

 private:
  /// numerator / denominator * symbol^power * …
  struct Product {
    std::int64_t numerator = 1;
    std::int64_t denominator = 1;
    std::vector<std::pair<Symbol, int>> powers;  ///< by symbol; none is 0
    auto operator<=>(const Product&) const = default;
  };

  /// Multiplies by a size (`sign` 1) or divides by it (-1). False when the result cannot be expressed.
  bool multiply(Product& product, const Dimension& size, int sign) const;

  Symbol last_ = 0;
  std::map<Product, Symbol> symbols_;
  std::map<Symbol, Product> products_;  ///< the same by symbol; the symbols in them have no entry
};

}  // namespace mo
