#pragma once

#include <string>

#include "core/registry/operator_table.hpp"

namespace mo::onnx {

/// An operator of the domain org.openvinotoolkit, which older exporters wrote into ONNX's own domain: there it is read
/// in the opsets `in_onnx`.
inline void translate_openvino(OperatorTable& table, const std::string& op, const Translator& translator,
                               VersionRange in_onnx = since(1)) {
  table.translate("org.openvinotoolkit::" + op, since(1), translator);
  table.translate(op, in_onnx, translator);
}
inline void extract_openvino(OperatorTable& table, const std::string& op, const Extractor& extractor) {
  table.extract("org.openvinotoolkit::" + op, since(1), extractor);
  table.extract(op, since(1), extractor);
}

}  // namespace mo::onnx
