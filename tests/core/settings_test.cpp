#include "core/pass/settings.hpp"

#include <gtest/gtest.h>

#include "core/pass/pass.hpp"

namespace mo {
namespace {

struct OwnSettings {
  double ratio = 0.5;
  static constexpr auto attributes = Attributes{attr("ratio", &OwnSettings::ratio)};
};
struct OtherSettings {
  double ratio = 7;
};

TEST(Settings, AreSetByTheirDeclaredNames) {
  Settings settings;
  ASSERT_TRUE(set_by_name(settings, {{"ir_version", 10}, {"finegrain_fusing", std::vector<std::string>{"a.*"}}}));
  EXPECT_EQ(settings.ir_version, 10);
  EXPECT_EQ(settings.finegrain_fusing, std::vector<std::string>{"a.*"});
}

TEST(Settings, UnknownNamesAndOtherKindsAreErrorsThatNameThem) {
  Settings settings;
  const auto set = set_by_name(settings, {{"ir_verson", 10}, {"ir_version", "10"}, {"static_shape", true}});
  ASSERT_FALSE(set);
  ASSERT_EQ(set.error().items().size(), 2U);
  const Diagnostic& unknown = set.error().items()[0];
  EXPECT_EQ(unknown.code, "MO-PASS-0022");
  EXPECT_EQ(unknown.message, "there is no setting ir_verson");
  EXPECT_NE(unknown.hint_text.find("did you mean 'ir_version'?"), std::string::npos) << unknown.hint_text;
  const Diagnostic& kind = set.error().items()[1];
  EXPECT_EQ(kind.code, "MO-PASS-0023");
  EXPECT_EQ(kind.message, "setting ir_version: an integer is expected, not a string");
  EXPECT_EQ(settings.ir_version, 11);
}

TEST(Settings, StructsOfOthersAreFoundByTheirType) {
  Settings settings;
  EXPECT_EQ(settings.find<OwnSettings>(), nullptr);
  EXPECT_EQ(settings.get<OwnSettings>().ratio, 0.5);
  settings.set(OwnSettings{.ratio = 2});
  const Settings copy = settings;
  settings.set(OwnSettings{.ratio = 3});
  EXPECT_EQ(settings.get<OwnSettings>().ratio, 3);
  EXPECT_EQ(copy.get<OwnSettings>().ratio, 2) << "a copy is a value of its own";
  EXPECT_EQ(settings.get<OtherSettings>().ratio, 7) << "another type has values of its own";
}

TEST(Settings, APassReadsThoseThatItDeclares) {
  const Pass pass =
      graph_pass("Own").settings<OwnSettings>().run([](Graph&, PassContext&) -> Expected<bool> { return false; });
  const Pass without = graph_pass("None").run([](Graph&, PassContext&) -> Expected<bool> { return false; });
  EXPECT_FALSE(without.configure);
  Settings settings;
  ASSERT_TRUE(pass.configure(settings, {{"ratio", 4}}));
  EXPECT_EQ(settings.get<OwnSettings>().ratio, 4);
  const auto misspelt = pass.configure(settings, {{"ration", 5}});
  ASSERT_FALSE(misspelt);
  EXPECT_EQ(misspelt.error().first().code, "MO-PASS-0022");
  EXPECT_EQ(settings.get<OwnSettings>().ratio, 4);
}

}  // namespace
}  // namespace mo
