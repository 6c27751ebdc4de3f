#include "core/registry/onnx_forms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/diagnostics/plugin_call.hpp"

namespace mo {
namespace {

std::string text_of(std::string_view op, std::string_view own_set, int version) {
  return own_set.empty() ? fmt::format("{}-{}", op, version) : fmt::format("{}.{}", own_set, op);
}

Diagnostic second_form(const std::string& op, const std::string& first, const std::string& second) {
  return error("MO-PLUGIN-0037", "the ONNX form of op {} is registered twice: by {} and by {}", op, first, second)
      .hint("leave one out, or let the plugin declare that it overrides what is built in");
}

}  // namespace

void OnnxForms::add(const OpId& op, OnnxForm form) {
  const Key key{op.type, op.opset_name, op.version};
  const std::string name = text_of(op.type, op.opset_name, op.version);
  if (const auto known = rows_.find(key); known != rows_.end()) {
    problems_.push_back(second_form(name, known->second.owner.name, owner_.name));
    return;
  }
  if (owner_.is_plugin())
    form = [form = std::move(form), who = fmt::format("the ONNX form of {} of plugin {}", name, owner_.name)](
               onnx_emitter::Translation& t) { return call_plugin(who, [&] { return form(t); }); };
  rows_.emplace(key, Row{std::move(form), owner_});
}

const OnnxForms::Row* OnnxForms::find(const OpType& type) const {
  const auto found = type.dynamic ? rows_.end() : rows_.find({type.name, type.opset_name, type.version});
  return found == rows_.end() ? nullptr : &found->second;
}

std::vector<std::string> OnnxForms::ops_of(std::string_view owner) const {
  std::vector<std::string> ops;
  for (const auto& [key, row] : rows_)
    if (row.owner.name == owner) ops.push_back(text_of(std::get<0>(key), std::get<1>(key), std::get<2>(key)));
  std::sort(ops.begin(), ops.end());
  return ops;
}

std::optional<Diagnostic> OnnxForms::clash_with(const OnnxForms& built_in) const {
  for (const auto& [key, row] : rows_) {
    const auto other = built_in.rows_.find(key);
    if (other != built_in.rows_.end() && !row.owner.may_replace(other->second.owner.name))
      return second_form(text_of(std::get<0>(key), std::get<1>(key), std::get<2>(key)), other->second.owner.name,
                         row.owner.name);
  }
  return std::nullopt;
}

}  // namespace mo
