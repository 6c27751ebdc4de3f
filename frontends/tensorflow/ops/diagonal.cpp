#include "frontends/tensorflow/ops/support/movement_attributes.hpp"

namespace mo::tensorflow {
namespace {

/// MatrixDiag, MatrixDiagPart and MatrixSetDiag. `align` says where shorter
/// diagonals lie in their row: that of diagonals above the main one, then that
/// of diagonals below.
Extractor diagonals(const char* name, const char* align) {
  return [name, align](const FrameworkNode& node) -> Expected<Op> {
    const std::string wanted = node.attr("align", align);
    if (wanted != "LEFT_LEFT" && wanted != "LEFT_RIGHT" && wanted != "RIGHT_LEFT" && wanted != "RIGHT_RIGHT")
      return node.error("MO-TF-0553", "align is \"{}\"", wanted).hint("align is LEFT_LEFT, LEFT_RIGHT, RIGHT_LEFT or RIGHT_RIGHT");
    return real_movement_op(node, name, {{"right_above", wanted.starts_with("RIGHT")}, {"right_below", wanted.ends_with("RIGHT")}});
  };
}

}  // namespace

void register_diagonal(OperatorTable& table) {
  // The first versions and their older names know the main diagonal only.
  for (const char* prefix : {"", "Batch"}) {
    for (const char* op : {"MatrixDiag", "MatrixDiagPart", "MatrixSetDiag"})
      table.extract(std::string(prefix) + op, [front = std::string("TfMain") + op](const FrameworkNode& node) { return real_movement_op(node, front); });
    table.extract(std::string(prefix) + "MatrixBandPart", [](const FrameworkNode& node) { return real_movement_op(node, "TfMatrixBandPart"); });
  }
  // Version 2 puts shorter diagonals to the left; version 3 lets the model
  // choose.
  table.extract("MatrixDiagV2", diagonals("TfMatrixDiag", "LEFT_LEFT"));
  table.extract("MatrixDiagV3", diagonals("TfMatrixDiag", "RIGHT_LEFT"));
  table.extract("MatrixDiagPartV2", diagonals("TfMatrixDiagPart", "LEFT_LEFT"));
  table.extract("MatrixDiagPartV3", diagonals("TfMatrixDiagPart", "RIGHT_LEFT"));
  table.extract("MatrixSetDiagV2", diagonals("TfMatrixSetDiag", "LEFT_LEFT"));
  table.extract("MatrixSetDiagV3", diagonals("TfMatrixSetDiag", "RIGHT_LEFT"));
  table.extract("Diag", [](const FrameworkNode& node) { return real_movement_op(node, "TfDiag"); });
  table.extract("DiagPart", [](const FrameworkNode& node) { return real_movement_op(node, "TfDiagPart"); });
}

}  // namespace mo::tensorflow
