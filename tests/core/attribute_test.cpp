#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "core/graph/graph.hpp"
#include "core/op/define_op.hpp"
#include "core/op/op_registry.hpp"

namespace mo {
namespace {

enum class Mode { first, second };
inline constexpr std::array<std::string_view, 2> kModeNames{"first", "second"};
constexpr const auto& names_of(Mode) { return kModeNames; }

struct Entry {
  std::int64_t port = 0;
  std::optional<std::int64_t> axis;
  static constexpr auto attributes = Attributes{attr("port", &Entry::port), attr("axis", &Entry::axis)};
};

struct Everything {
  static constexpr OpId id{"Everything", "test"};
  bool flag = false;
  std::int64_t number = 1;
  double real = 0.5;
  std::string text = "a";
  Mode mode = Mode::first;
  ElementType type = ElementType::f32;
  PartialShape shape;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::vector<std::string> strings;
  std::vector<Entry> entries;
  std::optional<std::int64_t> maybe;
  std::int64_t hidden = 0;
  static constexpr auto attributes = Attributes{attr("flag", &Everything::flag),
                                                attr("number", &Everything::number),
                                                attr("real", &Everything::real),
                                                attr("text", &Everything::text),
                                                attr("mode", &Everything::mode),
                                                attr("type", &Everything::type),
                                                attr("shape", &Everything::shape),
                                                attr("integers", &Everything::integers),
                                                attr("reals", &Everything::reals),
                                                attr("strings", &Everything::strings),
                                                attr("entries", &Everything::entries),
                                                attr("maybe", &Everything::maybe),
                                                attr("hidden", &Everything::hidden).internal()};
  Expected<void> infer(InferContext&) const { return {}; }
};

std::string code_of(const Expected<void>& result) { return result ? "" : result.error().first().code; }

TEST(Attributes, AreReadAndWrittenByName) {
  Op op(Everything{});
  ASSERT_TRUE(op.set_attribute("number", std::int64_t{7}));
  ASSERT_TRUE(op.set_attribute("real", std::int64_t{2})) << "an integer is a number";
  ASSERT_TRUE(op.set_attribute("mode", "second"));
  ASSERT_TRUE(op.set_attribute("flag", std::int64_t{1}));
  ASSERT_TRUE(op.set_attribute("shape", std::vector<std::int64_t>{1, -1}));
  ASSERT_TRUE(
      op.set_attribute("entries", AttributeList{AttributeMap{{"port", 3}, {"axis", -1}}, AttributeMap{{"port", 4}}}));
  const auto& is = *op.as<Everything>();
  EXPECT_EQ(is.number, 7);
  EXPECT_EQ(is.real, 2.0);
  EXPECT_EQ(is.mode, Mode::second);
  EXPECT_TRUE(is.flag);
  EXPECT_EQ(is.shape.to_string(), "[1,?]");
  ASSERT_EQ(is.entries.size(), 2U);
  EXPECT_EQ(is.entries[0].axis, -1);
  EXPECT_FALSE(is.entries[1].axis);
  EXPECT_EQ(*op.attribute("mode").get_if<std::string>(), "second");
  EXPECT_TRUE(op.attribute("maybe").is_none());
  EXPECT_TRUE(op.attribute("nothing").is_none());
}

TEST(AttributeMap, CopiesShareTheirItemsUntilOneIsChanged) {
  AttributeMap first{{"axis", 1}, {"mode", "max"}};
  const AttributeMap second = first;
  EXPECT_EQ(std::as_const(first).begin(), second.begin());
  first.set("axis", 2);
  EXPECT_EQ(*second.find("axis")->get_if<std::int64_t>(), 1);
  EXPECT_EQ(*std::as_const(first).find("axis")->get_if<std::int64_t>(), 2);

  AttributeMap third = second;
  EXPECT_TRUE(third.erase("mode"));
  EXPECT_FALSE(third.erase("mode"));
  AttributeMap fourth = second;
  *fourth.find("mode") = AttributeValue("min");
  AttributeMap fifth = second;
  for (AttributeMap::Item& item : fifth) item.value = AttributeValue();
  EXPECT_EQ(second.size(), 2U);
  EXPECT_EQ(*second.find("mode")->get_if<std::string>(), "max");
  EXPECT_EQ(second, (AttributeMap{{"mode", "max"}, {"axis", 1}}));
  EXPECT_NE(second, fourth);
}

TEST(AttributeMap, EachCopyHasGraphsOfItsOwn) {
  const AttributeMap first{{"body", Body()}};
  const AttributeMap second = first;
  EXPECT_NE(&first.find("body")->get_if<Body>()->graph(), &second.find("body")->get_if<Body>()->graph());
}

TEST(AttributeMap, AnEmptyOneHasNothing) {
  AttributeMap none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_EQ(none.find("axis"), nullptr);
  EXPECT_FALSE(none.erase("axis"));
  EXPECT_EQ(none, AttributeMap());
}

TEST(Attributes, WrongNamesKindsAndValuesAreErrors) {
  Op op(Everything{});
  EXPECT_EQ(code_of(op.set_attribute("numbr", std::int64_t{7})), "MO-CORE-0015");
  EXPECT_EQ(code_of(op.set_attribute("number", "seven")), "MO-CORE-0010");
  EXPECT_EQ(code_of(op.set_attribute("mode", "third")), "MO-CORE-0014");
  EXPECT_EQ(code_of(op.set_attribute("type", std::int64_t{1})), "MO-CORE-0010");
  EXPECT_EQ(AttributeCodec<std::int32_t>::decode(AttributeValue(std::int64_t{1} << 40)).error().first().code,
            "MO-CORE-0011");
}

TEST(Attributes, IrTextReadsBack) {
  const std::pair<AttributeKind, AttributeValue> values[] = {
      {AttributeKind::boolean, true},
      {AttributeKind::integer, std::int64_t{-3}},
      {AttributeKind::real, 1e-5},
      {AttributeKind::string, "a b"},
      {AttributeKind::element_type, ElementType::boolean},
      {AttributeKind::shape, PartialShape({1, Dimension(), Dimension(2, 8)})},
      {AttributeKind::shape, PartialShape()},
      {AttributeKind::shape, PartialShape(Shape{})},
      {AttributeKind::integers, std::vector<std::int64_t>{1, -2}},
      {AttributeKind::reals, std::vector<double>{0.1, 2}},
      {AttributeKind::strings, std::vector<std::string>{"sigmoid", "tanh"}},
  };
  for (const auto& [kind, value] : values) {
    const auto text = to_ir_text(value);
    ASSERT_TRUE(text);
    const auto back = from_ir_text(kind, *text);
    ASSERT_TRUE(back) << *text;
    EXPECT_EQ(*back, value) << *text;
  }
  EXPECT_EQ(*to_ir_text(AttributeValue(double{1e-5F})), "1e-05") << "a float in its shortest form";
  EXPECT_EQ(*to_ir_text(AttributeValue(std::vector<std::int64_t>{1, 2})), "1, 2");
  EXPECT_EQ(to_ir_text(AttributeValue(INFINITY)).error().first().code, "MO-CORE-0012");
  EXPECT_EQ(to_ir_text(AttributeValue(Tensor::scalar<float>(1))).error().first().code, "MO-CORE-0012");
  for (const auto& [kind, text] :
       {std::pair{AttributeKind::integers, "1,,2"}, std::pair{AttributeKind::integer, "1.5"},
        std::pair{AttributeKind::boolean, "yes"}, std::pair{AttributeKind::shape, "1,-2"},
        std::pair{AttributeKind::element_type, "FP32"}, std::pair{AttributeKind::real, "1,5"}})
    EXPECT_EQ(from_ir_text(kind, text).error().first().code, "MO-CORE-0013") << text;
}

TEST(Ops, EqualityLooksAtAttributes) {
  const Everything a;
  Everything b;
  EXPECT_TRUE(same_attributes(OpType::of<Everything>(), &a, &b));
  b.hidden = 1;
  EXPECT_FALSE(same_attributes(OpType::of<Everything>(), &a, &b));
}

/// As plugins wrote lists of attributes before Attributes.
struct OfOlderSource {
  static constexpr OpId id{"OfOlderSource", "acme"};
  std::int64_t axis = 0;
  double ratio = 0.5;
  static constexpr auto attributes =
      std::tuple{attr("axis", &OfOlderSource::axis), attr("ratio", &OfOlderSource::ratio)};
  Expected<void> infer(InferContext&) const { return {}; }
};
struct Extended : OfOlderSource {
  std::string mode = "plain";
  static constexpr auto attributes = Attributes{OfOlderSource::attributes, attr("mode", &Extended::mode)};
};

TEST(Attributes, TuplesOfOlderSourcesAreRead) {
  const std::vector<AttributeInfo> infos = attribute_infos<Extended>();
  ASSERT_EQ(infos.size(), 3U);
  EXPECT_EQ(infos[0].name, "axis");
  EXPECT_EQ(infos[1].name, "ratio");
  EXPECT_EQ(infos[2].name, "mode");
  EXPECT_EQ(OpType::of<OfOlderSource>().attributes.size(), 2U);
}

struct V1 {
  static constexpr OpId id{"Foo", 1};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext&) const { return {}; }
};
struct V0 {
  static constexpr OpId id{"Bar", 0, 3};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext&) const { return {}; }
};
struct V8 {
  static constexpr OpId id{"Foo", 8};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext&) const { return {}; }
};

TEST(Registry, FindsTheClassOfAnOpSetAndRefusesDuplicates) {
  OpRegistry registry;
  registry.add<V8>();
  registry.add<V1>();
  registry.add<V0>();
  EXPECT_EQ(registry.in_opset("Foo", 7)->version, 1);
  EXPECT_EQ(registry.in_opset("Foo", 8)->version, 8);
  EXPECT_EQ(registry.newest("Foo")->version, 8);
  EXPECT_EQ(registry.in_opset("Bar", 2), nullptr) << "class v0, but first in opset3";
  EXPECT_EQ(registry.exact_type("fOO"), "Foo");
  EXPECT_TRUE(registry.problems().empty());
  registry.add<V1>();
  ASSERT_EQ(registry.problems().size(), 1U);
  EXPECT_EQ(registry.problems().front().code, "MO-CORE-0020");
  registry.set_owner("plugin", true);
  registry.add<V1>();
  EXPECT_EQ(registry.problems().size(), 1U) << "an announced override is none";
}

}  // namespace
}  // namespace mo
