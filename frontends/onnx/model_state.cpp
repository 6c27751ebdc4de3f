#include "frontends/onnx/model_state.hpp"

#include <algorithm>
#include <array>

#include "core/support/budget.hpp"
#include "frontends/onnx/fields.hpp"

namespace mo::onnx {

Expected<void> OpsetImports::add(std::string_view domain, std::int64_t version, DiagnosticSink& sink) {
  domain = normal_domain(domain);
  const std::string_view shown = domain.empty() ? "ai.onnx" : domain;
  if (version < 1 || version > 1000)
    return error("MO-ONNX-0005", "operator set {} of domain {} does not exist", version, shown)
        .hint(
            "versions up to {} are supported; otherwise the file is corrupt: compare its checksum, or export it again",
            kNewestOpset);
  if (const auto known = find(domain)) {
    if (*known == version) return {};
    return error("MO-ONNX-0007", "domain {} is imported twice, as version {} and as version {}", shown, *known, version)
        .hint("a model uses one operator set of each domain");
  }
  if (items_.size() == limits::kDomains)
    return error("MO-ONNX-0019", "more than {} operator sets are imported", limits::kDomains)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  if (domain.empty() && version > kNewestOpset)
    sink.report(
        warning("MO-ONNX-0006", "operator set {} is newer than {}, the newest one that is known", version, kNewestOpset)
            .hint("operators may have changed: compare results, or export with opset {}", kNewestOpset));
  items_.emplace_back(domain, version);
  return {};
}

std::optional<std::int64_t> OpsetImports::find(std::string_view domain) const {
  const auto it = std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item.first == domain; });
  return it == items_.end() ? std::nullopt : std::optional(it->second);
}

Expected<void> OpsetImports::read(frontends::WireSource& source, const frontends::WireField& message,
                                  DiagnosticSink& sink) {
  std::string domain;
  std::int64_t version = 0;
  MO_ASSIGN(frontends::WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const frontends::WireField& field) -> Expected<void> {
    if (field.number == opset_field::kDomain) {
      MO_ASSIGN(const std::string_view text, short_text_of(source, field));
      domain = text;
    } else if (field.number == opset_field::kVersion) {
      MO_ASSIGN(version, integer_of(field));
    }
    return {};
  }));
  return add(domain, version, sink);
}

std::string op_name(std::string_view domain, std::string_view op_type) {
  domain = normal_domain(domain);
  return fmt::format("{}::{}", domain.empty() ? "onnx" : domain, op_type);
}

Expected<void> ModelState::take_node() {
  if (++nodes <= limits::kNodes) return spend(work::kReadNode);
  return error("MO-ONNX-0018", "the model has more than {} nodes", limits::kNodes)
      .hint("this limit protects against corrupt models; split the model");
}

Dimension ModelState::symbolic(std::string_view name) {
  // Placeholders that exporters write for "unknown": two of them are not the same dimension.
  static constexpr std::array<std::string_view, 5> anonymous{"", "?", "*", "-1", "None"};
  if (std::find(anonymous.begin(), anonymous.end(), name) != anonymous.end()) return Dimension::unknown();
  const auto [it, is_new] =
      symbols.try_emplace(std::string(name), static_cast<Dimension::Symbol>(symbol_names.size() + 1));
  if (is_new) symbol_names.emplace_back(name);
  return Dimension::unknown(it->second);
}

}  // namespace mo::onnx
