#include "tools/report/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/graph/runtime_info.hpp"

namespace mo::tools {
namespace {

constexpr std::size_t kReaders = 3;

bool is_constant(const GraphTable& source, std::uint32_t row, const TextTable& texts) {
  return texts[source.op[row]] == "Const";
}

/// By the conversion, not by the model: a Convert undoes it, or a pass says so.
bool is_compressed(const Node& node, const PassHistory& history) {
  if (node.as<Const>()->value.element_type() != ElementType::f16) return false;
  for (const InPort& reader : node.output().get_destinations())
    if (const AttributeMap* const info = reader.node().rt_info(); info && info->find("decompression")) return true;
  const std::vector<std::string> passes = history.of(node);
  return std::find(passes.begin(), passes.end(), "CompressToFp16") != passes.end();
}

std::int64_t clipped_elements(const Node& node) {
  const AttributeMap* const info = node.rt_info();
  const AttributeValue* const fields = info ? info->find(kClippedAttribute) : nullptr;
  const AttributeValue* const elements = fields && fields->map() ? fields->map()->find("elements") : nullptr;
  const std::int64_t* const count = elements ? elements->get_if<std::int64_t>() : nullptr;
  return count ? *count : 0;
}

ConstantFact fact_of(const PlacedConstant& constant, const GraphTable& table, const PassHistory& history) {
  ConstantFact fact{table.row_of(constant.node), std::string(constant.node.name()),
                    plain_text(constant.node.output_type(0)), constant.bytes, constant.offset};
  for (const InPort& reader : constant.node.output().get_destinations()) {
    if (fact.readers.size() == kReaders) break;
    fact.readers.emplace_back(reader.node().name());
  }
  fact.compressed = is_compressed(constant.node, history);
  fact.clipped = clipped_elements(constant.node);
  return fact;
}

}  // namespace

std::vector<Fusion> fusions_in(const GraphTable& table, const std::vector<Node>& nodes, const GraphTable& source,
                               const TextTable& texts, const PassHistory& history) {
  std::vector<Fusion> fusions;
  // Passes and translators make constants for nodes that are still there: only what nothing else stands for was
  // computed.
  std::vector<bool> is_there(source.rows());
  for (std::uint32_t row = 0; row < nodes.size(); ++row)
    if (!nodes[row].is<Const>())
      for (std::uint32_t i = table.links.begin(row); i < table.links.ends[row]; ++i)
        is_there[table.links.items[i]] = true;
  for (std::uint32_t row = 0; row < nodes.size(); ++row) {
    const Node& node = nodes[row];
    const bool folded = node.is<Const>();
    std::vector<std::string> sources;
    for (std::uint32_t i = table.links.begin(row); i < table.links.ends[row]; ++i)
      if (const std::uint32_t each = table.links.items[i];
          !is_constant(source, each, texts) && !(folded && is_there[each]))
        sources.emplace_back(texts[source.name[each]]);
    if (node.is<Parameter>() || node.is<Result>() || sources.size() < (folded ? 1 : 2)) continue;
    std::vector<std::string> passes = history.merged_by(node);
    if (passes.empty()) passes = history.of(node);
    fusions.push_back({row, std::string(node.name()), std::string(texts[table.op[row]]), std::move(sources),
                       std::move(passes), folded});
  }
  return fusions;
}

ConstantFacts constants_in(const GraphTable& table, const std::vector<PlacedConstant>& constants,
                           const PassHistory& history) {
  ConstantFacts facts;
  std::unordered_map<std::uint64_t, const PlacedConstant*> first_at;
  std::vector<std::size_t> order(constants.size());
  std::vector<const PlacedConstant*> same(constants.size());
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const PlacedConstant& constant = constants[i];
    order[i] = i;
    ++facts.count;
    facts.bytes += constant.bytes;
    // Empty ones lie where the next one begins.
    const auto [known, is_new] = first_at.try_emplace(constant.offset, &constant);
    if (!is_new && constant.bytes > 0 && known->second->bytes == constant.bytes) {
      same[i] = known->second;
      ++facts.shared;
      facts.shared_bytes += constant.bytes;
    } else if (!is_new) {
      known->second = &constant;
    }
    if (is_compressed(constant.node, history)) {
      ++facts.compressed;
      facts.compressed_bytes += constant.bytes;
    }
    if (clipped_elements(constant.node) > 0) {
      ++facts.clipped;
      facts.clipping.push_back(fact_of(constant, table, history));
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return constants[a].bytes > constants[b].bytes; });
  for (const std::size_t i : order) {
    std::vector<ConstantFact>& list = same[i] ? facts.sharing : facts.biggest;
    if (list.size() == ConstantFacts::kListed) continue;
    list.push_back(fact_of(constants[i], table, history));
    if (same[i]) list.back().same_as = same[i]->node.name();
  }
  return facts;
}

}  // namespace mo::tools
