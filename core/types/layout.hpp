#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mo {

/// What the dimensions of a tensor mean: [N,C,H,W], [N,...,C], [?,C,?,?]. A dimension may be nameless, and once "..."
/// may stand for any number of nameless ones. Without any dimension it is the layout of a scalar.
class Layout {
 public:
  Layout() = default;
  /// `names` in any case, "" for a nameless dimension, each other name at most once; BATCH, CHANNEL(S), HEIGHT, WIDTH
  /// and DEPTH are the same as their first letters. `gap`: before which of them "..." stands.
  explicit Layout(std::vector<std::string> names, std::optional<std::size_t> gap = {});

  bool operator==(const Layout&) const = default;

  bool fits(std::size_t rank) const { return gap_ ? rank >= names_.size() : rank == names_.size(); }
  /// The names of all dimensions of a tensor of `rank`, which must fit; "" for nameless ones.
  std::vector<std::string> names(std::size_t rank) const;
  /// The place of the dimension `name` in a tensor of `rank`; nothing when no dimension is called so, or the rank does
  /// not fit.
  std::optional<std::size_t> axis(std::string_view name, std::size_t rank) const;
  /// How the attribute `layout` of IR v11 is written: "[N,...,C]", "**SCALAR**".
  std::string to_string() const;

  /// The name under which a dimension is kept: upper-case, and "C" for "channels".
  static std::string normalized(std::string_view name);

 private:
  std::vector<std::string> names_;
  std::optional<std::size_t> gap_;
};

/// The order for a Transpose that brings a tensor with dimensions `from` into `to` (as `Layout::names`, of one rank):
/// `order[i]` is the place in `from` of dimension i of `to`. Dimensions go by name; those that either side does not
/// name take the places that are left, in ascending order. Nothing when the less specified side has a name that the
/// other one lacks.
std::optional<std::vector<std::int64_t>> order_between(const std::vector<std::string>& from,
                                                       const std::vector<std::string>& to);

}  // namespace mo
