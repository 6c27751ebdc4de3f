#include <algorithm>

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/logical.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "ops/split.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

/// Diagonals from `lower` to `upper`; 0 is the main one, positive ones are
/// above it. A diagonal that is shorter than the longest one lies at the left
/// or at the right of its row in the packed form [diagonals, longest], whose
/// first row is `upper`.
struct Band {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  bool right_above = false;
  bool right_below = false;

  std::int64_t count() const { return upper - lower + 1; }
  /// TensorFlow: the main diagonal lies at the left when either side does.
  bool at_right(std::int64_t diagonal) const {
    return diagonal > 0 ? right_above : diagonal < 0 ? right_below : right_above && right_below;
  }
};

/// Where shorter diagonals lie in their row: those above the main one, then those below. `align` holds without the
/// attribute.
Expected<Band> alignment_of(const FrameworkNode& node, const char* align) {
  const std::string wanted = node.attr("align", align);
  if (wanted != "LEFT_LEFT" && wanted != "LEFT_RIGHT" && wanted != "RIGHT_LEFT" && wanted != "RIGHT_RIGHT")
    return node.error("MO-TF-0553", "align is \"{}\"", wanted)
        .hint("align is LEFT_LEFT, LEFT_RIGHT, RIGHT_LEFT or RIGHT_RIGHT");
  return Band{.right_above = wanted.starts_with("RIGHT"), .right_below = wanted.ends_with("RIGHT")};
}

/// The input k: one number, or the lowest and the highest diagonal.
Expected<Band> band_of(const FrameworkNode& node, std::size_t i, const char* align) {
  MO_ASSIGN(Band band, alignment_of(node, align));
  MO_ASSIGN(const Integers k, known_list(node, i, "k"));
  if (k.empty() || k.size() > 2 || k.front() > k.back() || k.front() < INT32_MIN || k.back() > INT32_MAX)
    return node.error("MO-TF-0556", "k is neither a diagonal nor a range of diagonals")
        .hint("k is one number, or the lowest and the highest one");
  constexpr std::int64_t kMostDiagonals = 65536;
  if (k.back() - k.front() >= kMostDiagonals)
    return node.error("MO-TF-0556", "k names {} diagonals", k.back() - k.front() + 1)
        .hint("up to {} are supported", kMostDiagonals);
  band.lower = k.front();
  band.upper = k.back();
  return band;
}

Value index_number(Rewriter& rw, std::int64_t value) { return rw.scalar(value); }
Value index_plus(Rewriter& rw, const Value& a, std::int64_t b) {
  return b == 0 ? a : rw.create(ops::Add{}, a, index_number(rw, b));
}
Value index_minus(Rewriter& rw, const Value& a, const Value& b) { return rw.create(ops::Subtract{}, a, b); }
Value smaller_index(Rewriter& rw, const Value& a, const Value& b) { return rw.create(ops::Minimum{}, a, b); }

/// The numbers of rows and columns of matrices (i64 scalars), and those of each
/// element: [rows, 1] and [1, columns].
struct Grid {
  Value rows;
  Value columns;
  Value row;
  Value column;
};

Grid grid_of(Rewriter& rw, const Value& rows, const Value& columns) {
  return {rows, columns, rw.create(ops::Unsqueeze{}, index_range(rw, rows), rw.integers({1})),
          rw.create(ops::Unsqueeze{}, index_range(rw, columns), rw.integers({0}))};
}

Grid grid_of_matrix(Rewriter& rw, const Value& x) {
  return grid_of(rw, dimension_of(rw, x, -2), dimension_of(rw, x, -1));
}

/// The length of the longest diagonal of a band.
Value longest_diagonal(Rewriter& rw, const Value& rows, const Value& columns, const Band& band) {
  return smaller_index(rw, index_plus(rw, rows, std::min<std::int64_t>(band.upper, 0)),
                       index_plus(rw, columns, -std::max<std::int64_t>(band.lower, 0)));
}

/// The length of each diagonal; `diagonals` is any tensor of their numbers.
Value diagonal_lengths(Rewriter& rw, const Grid& grid, const Value& diagonals) {
  const Value zero = index_number(rw, 0);
  return smaller_index(rw, rw.create(ops::Add{}, grid.rows, smaller_index(rw, diagonals, zero)),
                       index_minus(rw, grid.columns, rw.create(ops::Maximum{}, diagonals, zero)));
}

/// x with its last two dimensions as one.
Value with_flat_matrices(Rewriter& rw, const Value& x) {
  return rw.create(ops::Reshape{}, x, join(rw, {slice_along(rw, shape_of(rw, x), 0, 0, -2), rw.integers({-1})}));
}

/// Where a matrix has elements of the band, and for each element of the matrix
/// what the packed diagonals have for it.
struct Placed {
  Value inside;
  Value elements;
};

Placed place_diagonals(Rewriter& rw, const Value& packed, const Grid& grid, const Band& band) {
  const Value along = smaller_index(rw, grid.row, grid.column);
  const Value axis = index_number(rw, -1);
  const Value diagonal = index_minus(rw, grid.column, grid.row);
  if (band.count() == 1) {
    const Value inside = rw.create(ops::Equal{}, diagonal, index_number(rw, band.lower));
    const Value index = rw.create(ops::Select{}, inside, along, index_number(rw, 0));
    return {inside, rw.create(ops::Gather{}, packed, index, axis)};
  }
  const Value inside =
      rw.create(ops::LogicalAnd{}, rw.create(ops::GreaterEqual{}, diagonal, index_number(rw, band.lower)),
                rw.create(ops::LessEqual{}, diagonal, index_number(rw, band.upper)));
  const Value most = dimension_of(rw, packed, -1);
  const Value line = rw.create(ops::Multiply{}, index_minus(rw, index_number(rw, band.upper), diagonal), most);
  Value index = rw.create(ops::Add{}, line, along);
  if (band.right_above || band.right_below) {
    Value shift = index_minus(rw, most, diagonal_lengths(rw, grid, diagonal));
    if (!band.right_below)
      shift = rw.create(ops::Select{}, rw.create(ops::Greater{}, diagonal, index_number(rw, 0)), shift,
                        index_number(rw, 0));
    if (!band.right_above)
      shift =
          rw.create(ops::Select{}, rw.create(ops::Less{}, diagonal, index_number(rw, 0)), shift, index_number(rw, 0));
    index = rw.create(ops::Add{}, index, shift);
  }
  index = rw.create(ops::Select{}, inside, index, index_number(rw, 0));
  return {inside, rw.create(ops::Gather{}, with_flat_matrices(rw, packed), index, axis)};
}

/// MatrixDiag(x): x on the main diagonal of square matrices
Replacement main_diagonal_matrix(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const Value size = dimension_of(rw, x, -1);
  const Grid grid = grid_of(rw, size, size);
  const Value line = rw.create(ops::Unsqueeze{}, x, rw.integers({-2}));
  return rw.create(ops::Select{}, rw.create(ops::Equal{}, grid.row, grid.column), line, number_like(rw, x, 0));
}

/// From version 2 on: x, k, rows, columns (-1: as few as there can be; a square
/// when neither is known), what is elsewhere
Replacement diagonal_matrix(const FrameworkNode& node, Rewriter& rw, const char* align) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(5));
  const Value x = node.input(0);
  MO_ASSIGN(const Band band, band_of(node, 1, align));
  MO_ASSIGN(const std::int64_t rows, known_number(node, 2, "num_rows"));
  MO_ASSIGN(const std::int64_t columns, known_number(node, 3, "num_cols"));
  const Value size = dimension_of(rw, x, -1);
  const Value fewest_rows = index_plus(rw, size, -std::min<std::int64_t>(band.upper, 0));
  const Value fewest_columns = index_plus(rw, size, std::max<std::int64_t>(band.lower, 0));
  const Value square = rows < 0 && columns < 0 ? rw.create(ops::Maximum{}, fewest_rows, fewest_columns) : Value();
  const Grid grid = grid_of(rw,
                            square     ? square
                            : rows < 0 ? fewest_rows
                                       : index_number(rw, rows),
                            square        ? square
                            : columns < 0 ? fewest_columns
                                          : index_number(rw, columns));
  const Placed placed = place_diagonals(rw, x, grid, band);
  return rw.create(ops::Select{}, placed.inside, placed.elements, as_scalar(rw, node.input(4)));
}

/// MatrixSetDiag(x, diagonals): x with the band replaced
Replacement with_band(const FrameworkNode& node, Rewriter& rw, const Band& band) {
  const Placed placed = place_diagonals(rw, node.input(1), grid_of_matrix(rw, node.input(0)), band);
  return rw.create(ops::Select{}, placed.inside, placed.elements, node.input(0));
}

Replacement with_main_diagonal(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(2));
  return with_band(node, rw, {});
}

/// From version 2 on: x, diagonals, k
Replacement with_diagonals(const FrameworkNode& node, Rewriter& rw, const char* align) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const Band band, band_of(node, 2, align));
  return with_band(node, rw, band);
}

/// One diagonal of matrices: elements at equal distances of the flattened
/// matrix
Value one_diagonal(Rewriter& rw, const Value& x, std::int64_t k) {
  const Value rows = dimension_of(rw, x, -2);
  const Value columns = dimension_of(rw, x, -1);
  const Value places = rw.create(ops::Multiply{}, index_range(rw, longest_diagonal(rw, rows, columns, {k, k})),
                                 index_plus(rw, columns, 1));
  const Value first = k < 0 ? rw.create(ops::Multiply{}, columns, index_number(rw, -k)) : index_number(rw, k);
  const Value index = k == 0 ? places : rw.create(ops::Add{}, places, first);
  return rw.create(ops::Gather{}, with_flat_matrices(rw, x), index, index_number(rw, -1));
}

Replacement main_diagonal_of_matrix(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(1));
  return one_diagonal(rw, node.input(0), 0);
}

/// MatrixDiagPart from version 2 on: x, k, what fills up shorter diagonals
Replacement diagonals_of_matrix(const FrameworkNode& node, Rewriter& rw, const char* align) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(3));
  const Value x = node.input(0);
  MO_ASSIGN(const Band band, band_of(node, 1, align));
  node.ignore_input(2, "what fills up shorter diagonals, where there is one diagonal");
  if (band.count() == 1) return one_diagonal(rw, x, band.lower);
  Integers diagonals;
  Integers right;
  Integers above;  // how far the diagonal begins to the right, and how far down
  Integers below;
  for (std::int64_t k = band.upper; k >= band.lower; --k) {
    diagonals.push_back(k);
    right.push_back(band.at_right(k));
    above.push_back(std::max<std::int64_t>(k, 0));
    below.push_back(std::max<std::int64_t>(-k, 0));
  }
  const auto column_vector = [&](const Integers& numbers) {
    return rw.constant(Tensor::of<std::int64_t>({static_cast<std::int64_t>(numbers.size()), 1}, numbers));
  };
  const Grid grid{dimension_of(rw, x, -2), dimension_of(rw, x, -1), {}, {}};
  const Value most = longest_diagonal(rw, grid.rows, grid.columns, band);
  const Value length = diagonal_lengths(rw, grid, column_vector(diagonals));
  Value along = rw.create(ops::Unsqueeze{}, index_range(rw, most), rw.integers({0}));
  if (band.right_above || band.right_below)
    along = index_minus(rw, along, rw.create(ops::Multiply{}, index_minus(rw, most, length), column_vector(right)));
  const Value inside = rw.create(ops::LogicalAnd{}, rw.create(ops::GreaterEqual{}, along, index_number(rw, 0)),
                                 rw.create(ops::Less{}, along, length));
  const Value row = rw.create(ops::Add{}, along, column_vector(below));
  const Value column = rw.create(ops::Add{}, along, column_vector(above));
  const Value place = rw.create(ops::Add{}, rw.create(ops::Multiply{}, row, grid.columns), column);
  const Value index = rw.create(ops::Select{}, inside, place, index_number(rw, 0));
  const Value elements = rw.create(ops::Gather{}, with_flat_matrices(rw, x), index, index_number(rw, -1));
  return rw.create(ops::Select{}, inside, elements, as_scalar(rw, node.input(2)));
}

/// One side of a band that is kept: `distance` from the main diagonal is at
/// most the number at input `i`; a negative number keeps all (an empty value).
Value kept_side(const FrameworkNode& node, Rewriter& rw, std::size_t i, const Value& distance) {
  const auto known = constant_integers_of(node.input(i));
  const Value most = as_scalar(rw, as_i64(rw, node.input(i)));
  if (known && known->size() == 1 && known->front() < 0) return {};
  const Value near = rw.create(ops::LessEqual{}, distance, most);
  return known ? near : rw.create(ops::LogicalOr{}, near, rw.create(ops::Less{}, most, index_number(rw, 0)));
}

/// MatrixBandPart(x, lower, upper): x in the band, 0 elsewhere
Replacement matrix_band_part(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(3));
  const Value x = node.input(0);
  const Grid grid = grid_of_matrix(rw, x);
  const Value lower = kept_side(node, rw, 1, index_minus(rw, grid.row, grid.column));
  const Value upper = kept_side(node, rw, 2, index_minus(rw, grid.column, grid.row));
  if (!lower && !upper) return x;
  const Value kept = lower && upper ? rw.create(ops::LogicalAnd{}, lower, upper) : lower ? lower : upper;
  return rw.create(ops::Select{}, kept, x, number_like(rw, x, 0));
}

/// Diag(x), x of any rank r -> [shape of x, shape of x] with x where both
/// halves of the index agree
Replacement tensor_diagonal(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const Value shape = shape_of(rw, x);
  const Value size = rw.create(ops::ReduceProd{}, shape, rw.integers({0}));
  const Grid grid = grid_of(rw, size, size);
  const Value matrix =
      rw.create(ops::Select{}, rw.create(ops::Equal{}, grid.row, grid.column), flattened(rw, x), number_like(rw, x, 0));
  return rw.create(ops::Reshape{}, matrix, join(rw, {shape, shape}));
}

/// DiagPart(x): the opposite
Replacement tensor_diagonal_part(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const Value half =
      rw.create_node(ops::Split{.num_splits = 2}, {shape_of(rw, x), rw.scalar<std::int64_t>(0)}, 2).output(0);
  const Value size = rw.create(ops::ReduceProd{}, half, rw.integers({0}));
  const Value places = rw.create(ops::Multiply{}, index_range(rw, size), index_plus(rw, size, 1));
  const Value diagonal = rw.create(ops::Gather{}, flattened(rw, x), places, rw.scalar<std::int64_t>(0));
  return rw.create(ops::Reshape{}, diagonal, half);
}

/// A translator with the alignment that holds without the attribute.
Translator aligned(Replacement (*translate)(const FrameworkNode&, Rewriter&, const char*), const char* align) {
  return [translate, align](const FrameworkNode& node, Rewriter& rw) { return translate(node, rw, align); };
}

}  // namespace

void register_diagonal(OperatorTable& table) {
  // The first versions and their older names know the main diagonal only.
  for (const std::string prefix : {"", "Batch"}) {
    table.translate(prefix + "MatrixDiag", main_diagonal_matrix);
    table.translate(prefix + "MatrixDiagPart", main_diagonal_of_matrix);
    table.translate(prefix + "MatrixSetDiag", with_main_diagonal);
    table.translate(prefix + "MatrixBandPart", matrix_band_part);
  }
  // Version 2 puts shorter diagonals to the left; version 3 lets the model choose.
  table.translate("MatrixDiagV2", aligned(diagonal_matrix, "LEFT_LEFT"));
  table.translate("MatrixDiagV3", aligned(diagonal_matrix, "RIGHT_LEFT"));
  table.translate("MatrixDiagPartV2", aligned(diagonals_of_matrix, "LEFT_LEFT"));
  table.translate("MatrixDiagPartV3", aligned(diagonals_of_matrix, "RIGHT_LEFT"));
  table.translate("MatrixSetDiagV2", aligned(with_diagonals, "LEFT_LEFT"));
  table.translate("MatrixSetDiagV3", aligned(with_diagonals, "RIGHT_LEFT"));
  table.translate("Diag", tensor_diagonal);
  table.translate("DiagPart", tensor_diagonal_part);
}

}  // namespace mo::tensorflow
