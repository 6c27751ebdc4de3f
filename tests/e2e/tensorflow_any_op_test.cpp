#include <random>
#include <set>

#include "tests/e2e/tensorflow_model.hpp"
#include "tests/e2e/tensorflow_pipeline.hpp"

/// Every op that is known, with unexpected inputs and attributes: an error, or a model that is sound after
/// every pass, never a crash.
namespace mo::test {
namespace {

/// Tensors of all kinds: f: numbers of the model, i: integers, b: a flag, c: constants.
const std::vector<std::string>& sources() {
  static const std::vector<std::string> all = {
      input("f0", ""),
      input("f1", "4"),
      input("f2", "2,3"),
      input("f3", "2,3,4"),
      input("f4", "1,4,4,2"),
      input("f5", "1,2,4,4,2"),
      input("fd", "-1,4"),
      input("fz", "0,3"),
      input("fu", "?"),
      input("i0", "", "DT_INT32"),
      input("i1", "2", "DT_INT32"),
      input("i2", "2,3", "DT_INT64"),
      input("b0", "", "DT_BOOL"),
      input("s1", "2", "DT_STRING"),
      ints("ci0", "", "1"),
      ints("cn0", "", "-1"),
      ints("ci1", "2", "0,1"),
      ints("ci4", "4", "1,2,2,1"),
      ints("ci22", "2,2", "1,0,0,1"),
      ints("ce", "0", ""),
      longs("cl", "2", "-9223372036854775808,9223372036854775807"),
      floats("cf0", "", "0.5"),
      floats("cf1", "4", "1,2,3,nan"),
      floats("cf4", "1,1,2,2", "1"),
      constant("cs", "DT_STRING", "1", "string_val: 'abc'"),
      constant("cb", "DT_BOOL", "", "bool_val: true"),
  };
  return all;
}
/// How each is called.
std::string name_of(const std::string& source) {
  const std::size_t start = source.find('\'') + 1;
  return source.substr(start, source.find('\'', start) - start);
}

/// All attributes of the models that tests have.
std::vector<std::string> known_attributes() {
  constexpr std::string_view kKey = "key: \"";
  std::set<std::string> names;
  for (const auto& [file, models] : models_of_tests())
    for (const std::string& text : models)
      for (std::size_t at = text.find(kKey); at != std::string::npos; at = text.find(kKey, at + 1))
        names.insert(text.substr(at + kKey.size(), text.find('"', at + kKey.size()) - at - kKey.size()));
  return {names.begin(), names.end()};
}

enum class Kind { integer, text, empty_list, list, number, flag, type, shape, tensor, types, function, none };
constexpr int kKinds = static_cast<int>(Kind::none);

class Models {
 public:
  Models(std::string op, std::vector<std::string> attributes)
      : op_(std::move(op)), attributes_(std::move(attributes)) {}

  /// The i-th model: always the same.
  std::string operator()(std::size_t i) {
    random_.seed(static_cast<unsigned>(i * 7919 + op_.size()));
    std::set<std::string> used;
    std::string inputs;
    // Without inputs, attributes of one kind; then up to five inputs and kinds that are mixed.
    const std::size_t count = i % 6;
    for (std::size_t k = 0; k < count; ++k) {
      const std::string& source = sources()[below(sources().size())];
      used.insert(source);
      inputs += (k == 0 ? "" : " ") + name_of(source);
    }
    std::string text;
    for (const std::string& source : used) text += source;
    const std::size_t mode = i % (kKinds + 4);
    std::string attributes;
    for (const std::string& name : attributes_) {
      if (mode == kKinds) continue;  // without attributes
      const Kind kind = static_cast<Kind>(mode < kKinds ? mode : below(kKinds + 1));
      if (kind != Kind::none) attributes += attribute(name, value(kind));
    }
    text += node("y", op_, inputs, attributes) + node("z", "Identity", "y");
    if (i % 3 == 0) text += node("z1", "Identity", "y:1");
    return text;
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_()) % count; }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return *(all.begin() + below(all.size()));
  }
  std::string value(Kind kind) {
    switch (kind) {
      case Kind::integer:
        return fmt::format("i: {}", one_of<std::int64_t>({0, 1, 2, 3, -1, -5, 100, INT32_MAX, INT64_MAX, INT64_MIN}));
      case Kind::text:
        return std::string("s: '") +
               one_of({"", "SAME", "VALID", "EXPLICIT", "NHWC", "NCHW", "SYMMETRIC", "x", "ij,jk->ik"}) + "'";
      case Kind::empty_list: return "list { }";
      case Kind::list:
        return std::string("list { i: [") +
               one_of({"0", "1,1,1,1", "1,2,2,1", "-1", "9,9,9,9", "1,1,1,1,1", "0,0,0,0", "2,2"}) + "] }";
      case Kind::number: return std::string("f: ") + one_of({"0", "1", "-1", "0.5", "nan", "inf", "1e30"});
      case Kind::flag: return std::string("b: ") + one_of({"true", "false"});
      case Kind::type:
        return std::string("type: ") +
               one_of({"DT_FLOAT", "DT_INT32", "DT_STRING", "DT_BOOL", "DT_VARIANT", "DT_COMPLEX64", "DT_INVALID"});
      case Kind::shape:
        return std::string("shape { ") +
               one_of({"", "unknown_rank: true", "dim { size: 2 }", "dim { size: -1 } dim { size: 0 }"}) + " }";
      case Kind::tensor: return "tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: 1 }";
      case Kind::types: return "list { type: [DT_FLOAT, DT_INT32] }";
      case Kind::function: return "func { name: 'f' }";
      case Kind::none: break;
    }
    return "";
  }

  std::string op_;
  std::vector<std::string> attributes_;
  std::mt19937 random_;
};

/// Those of `known` that an extractor or a translator asks for.
std::vector<std::string> attributes_asked_for(const std::string& op, const OperatorTable::Row& row,
                                              const std::vector<std::string>& known) {
  std::set<std::string> asked;
  for (const AttributeValue& value : {AttributeValue(std::int64_t{1}), AttributeValue(std::string("SAME")),
                                      AttributeValue(std::vector<std::int64_t>{1, 1, 1, 1})}) {
    Graph graph;
    AttributeMap attributes;
    for (const std::string& name : known) attributes.set(name, value);
    constexpr std::size_t kInputs = 9;  // translators look for them first
    std::vector<Value> inputs;
    while (row.translate && inputs.size() < kInputs)
      inputs.push_back(graph.create_parameter({ElementType::f32, PartialShape(Shape{2, 3, 4, 5})}).output());
    const FrameworkNode framework_node(graph.create_node(Op("tf::" + op, std::move(attributes)), inputs, 1, "y"));
    if (row.translate) {
      graph.set_has_types(true);
      Rewriter rewriter(graph);
      [[maybe_unused]] const Replacement made = row.translate(framework_node, rewriter);
    } else {
      [[maybe_unused]] const auto made = row.extract(framework_node);
    }
    const std::vector<std::string> unread = framework_node.unread_attributes();
    for (const std::string& name : known)
      if (std::find(unread.begin(), unread.end(), name) == unread.end()) asked.insert(name);
  }
  return {asked.begin(), asked.end()};
}

TEST(TensorFlowAnyOp, NeverCrashes) {
  constexpr std::size_t kModels = 30;
  TensorFlowPipeline pipeline;
  const std::vector<std::string> known = known_attributes();
  std::size_t ops = 0;
  for (const auto& [op, rows] : pipeline.operators().rows()) {
    SCOPED_TRACE(op);
    ++ops;
    Models models(op, attributes_asked_for(op, rows.front(), known));
    EXPECT_EQ(run_many(kModels, models, [&](const std::string& text) { return pipeline.run_text(text); },
                       {.seconds = 20, .peak_bytes = 512ULL << 20}),
              "");
  }
  EXPECT_GT(ops, 400U);
}

}  // namespace
}  // namespace mo::test
