#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/registry.hpp"
#include "frontends/onnx/frontend.hpp"

/// Compares the versions that our extractors read with the schemas of ONNX's own library.
namespace mo::onnx::testing {
namespace {

using Schema = ::onnx::OpSchema;
/// By the version in which it came.
using History = std::map<int, const Schema*>;

struct OpAt {
  std::string_view op;
  int version;
  std::string_view why;
  bool operator==(const OpAt& other) const { return op == other.op && version == other.version; }
};

/// Operators that left ONNX and are met in later models all the same, with the meaning that they had.
constexpr OpAt kReadBeyondTheirEnd[] = {
    {"Scatter", 11, "renamed to ScatterElements, with the same meaning"},
};

/// Attributes that are gone or have another default, and one extractor still does what both versions say.
constexpr OpAt kReadAlike[] = {
    {"Clip", 6, "a limit that is not given does not limit, whatever its default"},
    {"GlobalLpPool", 2, "p becomes an integer; it is 2 by default in both"},
    {"LpPool", 2, "p becomes an integer; it is 2 by default in both"},
};

/// Versions that change the meaning of an operator although all attributes stay: the extractor must be another one.
constexpr OpAt kOtherMeaning[] = {
    {"BatchNormalization", 14, "training_mode, other outputs"},
    {"Cast", 6, "`to` is a number"},
    {"Dropout", 7, "no is_test"},
    {"Dropout", 12, "ratio and training_mode are inputs"},
    {"Pow", 12, "the exponent has a type of its own"},
    {"Reshape", 14, "allowzero"},
    {"Resize", 11, "regions and sizes"},
    {"RoiAlign", 16, "half_pixel by default"},
    {"Scan", 9, "no batches"},
    {"Shape", 15, "start and end"},
    {"GatherND", 12, "batch_dims"},
    {"ScatterElements", 16, "reduction"},
    {"ScatterND", 16, "reduction"},
    {"TopK", 11, "largest and sorted"},
    {"DepthToSpace", 11, "mode"},
    // Beyond the schemas of ONNX 1.12:
    {"Pad", 18, "axes"},
    {"Split", 18, "num_outputs"},
    {"ReduceMean", 18, "axes are an input"},
    {"ReduceMax", 18, "axes are an input"},
    {"ReduceL2", 18, "axes are an input"},
    {"Resize", 18, "axes, antialias, keep_aspect_ratio_policy"},
    {"Cast", 19, "saturate"},
    {"GridSample", 20, "other names of modes"},
    {"DFT", 20, "axis is an input"},
    {"GroupNormalization", 21, "scale and bias for each channel"},
    {"Swish", 24, "beta is the attribute alpha"},
    {"Attention", 25, "windows"},
    {"SpaceToDepth", 28, "mode"},
};

/// The only function that is refused: its body draws random numbers as well.
constexpr std::string_view kRefusedFunction = "Bernoulli";

/// Operators that came after ONNX 1.12, and those that are met in versions that do not define them.
const std::map<std::string, int, std::less<>>& first_versions_elsewhere() {
  static const std::map<std::string, int, std::less<>> all{
      {"BitwiseAnd", 18},
      {"BitwiseNot", 18},
      {"BitwiseOr", 18},
      {"BitwiseXor", 18},
      {"CenterCropPad", 18},
      {"Col2Im", 18},
      {"GroupNormalization", 18},
      {"Mish", 18},
      {"DeformConv", 19},
      {"AffineGrid", 20},
      {"BitCast", 26},
      {"CausalConvWithState", 27},
      {"CumProd", 26},
      {"LinearAttention", 27},
      {"SwiGLU", 28},
      {"ai.onnx.preview::FlexAttention", 1},
      {"Gelu", 20},
      {"ImageDecoder", 20},
      {"RegexFullMatch", 20},
      {"StringConcat", 20},
      {"StringSplit", 20},
      {"Attention", 23},
      {"RMSNormalization", 23},
      {"RotaryEmbedding", 23},
      {"Swish", 1},  // org.openvinotoolkit's; ONNX's own came with opset 24
      {"TensorScatter", 24},
      {"ai.onnx.ml::TreeEnsemble", 5},
      // Of ONNX Runtime, which writes them into the domain of ONNX whatever its version:
      {"LayerNormalization", 1},
      {"SimplifiedLayerNormalization", 1},
      // Experimental, up to ONNX 1.4:
      {"ATen", 1},
      {"Affine", 1},
      {"ConstantFill", 1},
      {"Crop", 1},
      {"DynamicSlice", 1},
      {"GivenTensorFill", 1},
      {"ImageScaler", 1},
      {"MeanVarianceNormalization", 1},
      {"ParametricSoftplus", 1},
      {"Scale", 1},
      {"ScaledTanh", 1},
      // Of org.openvinotoolkit, in the default domain:
      {"CTCGreedyDecoder", 1},
      {"DeformableConv2D", 1},
      {"DetectionOutput", 1},
      {"ExperimentalDetectronDetectionOutput", 1},
      {"ExperimentalDetectronGenerateProposalsSingleImage", 1},
      {"ExperimentalDetectronGroupNorm", 1},
      {"ExperimentalDetectronPriorGridGenerator", 1},
      {"ExperimentalDetectronROIFeatureExtractor", 1},
      {"ExperimentalDetectronTopKROIs", 1},
      {"FakeQuantize", 1},
      {"GroupNorm", 1},
      {"Normalize", 1},
      {"PriorBox", 1},
      {"PriorBoxClustered", 1},
  };
  return all;
}

/// Domains that are not ONNX's.
bool is_foreign(std::string_view op) { return op.find("::") != std::string_view::npos && !op.starts_with("ai.onnx."); }

const std::map<std::string, History>& histories() {
  static const std::vector<Schema> schemas = ::onnx::OpSchemaRegistry::get_all_schemas_with_history();
  static const std::map<std::string, History> all = [] {
    std::map<std::string, History> histories;
    for (const Schema& schema : schemas)
      histories[schema.domain().empty() ? schema.Name() : schema.domain() + "::" + schema.Name()]
               [schema.SinceVersion()] = &schema;
    return histories;
  }();
  return all;
}

/// The newest version of the domain that the library knows.
int last_version(const Schema& schema) {
  const auto& domains = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto found = domains.find(schema.domain());
  return found == domains.end() ? schema.SinceVersion() : found->second.second;
}

const OperatorTable& table() {
  static Registry* const registry = [] {
    auto* made = new Registry;
    register_frontend(*made);
    return made;
  }();
  return registry->operators("onnx");
}

template <class List>
bool lists(const List& list, std::string_view op, int version) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](const OpAt& row) { return row.op == op && row.version == version; });
}

/// What is wrong, one line each.
using Findings = std::vector<std::string>;

void expect_none(const Findings& findings) {
  EXPECT_TRUE(findings.empty()) << fmt::format("{}", fmt::join(findings, "\n"));
}

TEST(OnnxVersions, every_version_of_every_operator_is_read_or_refused_by_name) {
  Findings findings;
  for (const auto& [op, history] : histories())
    for (auto it = history.begin(); it != history.end(); ++it) {
      const auto& [since, schema] = *it;
      if (schema->Deprecated()) continue;
      const int end = std::next(it) == history.end() ? last_version(*schema) + 1 : std::next(it)->first;
      const auto is_missing = [&, &op = op](int version) { return table().find(op, version) == nullptr; };
      for (int version = since; version < end; ++version)
        if (is_missing(version)) {
          int last = version;
          while (last + 1 < end && is_missing(last + 1)) ++last;
          findings.push_back(fmt::format("{} is missing in {}-{}", op, version, last));
          version = last;
        }
    }
  expect_none(findings);
}

TEST(OnnxVersions, operators_are_read_only_in_versions_that_have_them) {
  Findings findings;
  for (const auto& [op, rows] : table().rows()) {
    std::int64_t first = VersionRange{}.last;
    for (const OperatorTable::Row& row : rows) first = std::min(first, row.versions.first);
    if (rows.front().refuses || is_foreign(op)) continue;
    const auto known = histories().find(op);
    const auto elsewhere = first_versions_elsewhere().find(op);
    if (known == histories().end() && elsewhere == first_versions_elsewhere().end()) {
      findings.push_back(op + " is no operator of ONNX");
      continue;
    }
    const int since = elsewhere != first_versions_elsewhere().end() ? elsewhere->second : known->second.begin()->first;
    if (first != since) findings.push_back(fmt::format("{} is read from {} on, it came in {}", op, first, since));
    if (known == histories().end()) continue;
    const auto& [end, newest] = *known->second.rbegin();
    if (newest->Deprecated() && table().find(op, end) != nullptr && !lists(kReadBeyondTheirEnd, op, end))
      findings.push_back(fmt::format("{} is read in {}, in which it was gone", op, end));
  }
  expect_none(findings);
}

/// What of `before` a later version takes away or gives another default. consumed_inputs was only ever a hint.
std::set<std::string> changed_attributes(const Schema& before, const Schema& after) {
  std::set<std::string> changed;
  for (const auto& [name, attribute] : before.attributes()) {
    if (name == "consumed_inputs") continue;
    const auto now = after.attributes().find(name);
    if (now == after.attributes().end() ||
        now->second.default_value.SerializeAsString() != attribute.default_value.SerializeAsString())
      changed.insert(name);
  }
  return changed;
}

TEST(OnnxVersions, a_version_that_takes_attributes_away_or_changes_defaults_has_an_extractor_of_its_own) {
  Findings findings;
  std::vector<OpAt> needless(std::begin(kReadAlike), std::end(kReadAlike));
  for (const auto& [op, history] : histories())
    for (auto it = std::next(history.begin()); it != history.end(); ++it) {
      const int version = it->first;
      const OperatorTable::Row* before = table().find(op, version - 1);
      const OperatorTable::Row* after = table().find(op, version);
      if (!before || before != after || before->refuses) continue;
      const std::set<std::string> changed = changed_attributes(*std::prev(it)->second, *it->second);
      if (changed.empty()) continue;
      if (lists(kReadAlike, op, version))
        std::erase(needless, OpAt{op, version, {}});
      else
        findings.push_back(fmt::format("{} {}: {}", op, version, fmt::join(changed, ", ")));
    }
  for (const OpAt& row : needless)
    findings.push_back(fmt::format("{} {} need not be in kReadAlike", row.op, row.version));
  expect_none(findings);
}

TEST(OnnxVersions, a_version_with_another_meaning_has_an_extractor_of_its_own) {
  Findings findings;
  for (const OpAt& row : kOtherMeaning) {
    const OperatorTable::Row* before = table().find(row.op, row.version - 1);
    const OperatorTable::Row* after = table().find(row.op, row.version);
    if (!after || before == after) findings.push_back(fmt::format("{} {}: {}", row.op, row.version, row.why));
  }
  expect_none(findings);
}

/// So that no function body of ONNX is needed: a body says the same in more nodes, and a model rarely gains from it.
TEST(OnnxVersions, every_operator_that_onnx_defines_as_a_function_has_a_direct_form) {
  Findings findings;
  for (const auto& [op, history] : histories())
    for (const auto& [since, schema] : history) {
      if (!schema->HasFunction() && !schema->HasContextDependentFunction()) continue;
      const OperatorTable::Row* row = table().find(op, since);
      if (!row || (row->refuses && op != kRefusedFunction)) findings.push_back(fmt::format("{} {}", op, since));
    }
  expect_none(findings);
}

TEST(OnnxVersions, no_two_extractors_claim_the_same_version) {
  Findings findings;
  for (const Diagnostic& problem : table().problems()) findings.push_back(problem.message);
  expect_none(findings);
}

}  // namespace
}  // namespace mo::onnx::testing
