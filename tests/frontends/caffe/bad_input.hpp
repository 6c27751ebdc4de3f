#pragma once

#include "tests/e2e/isolated.hpp"
#include "tests/frontends/caffe/model_files.hpp"

namespace mo::caffe::testing {

/// Conversions in a process of their own, most of them of models that are wrong.
class BadInput : public ModelFiles {
 protected:
  BadInput() { std::filesystem::create_directory(folder_ / "out"); }

  /// How a topology without weights is converted: with zeros.
  Options options(std::string_view topology) const {
    Options made;
    made.framework = "caffe";
    made.caffe.input_proto = write("m.prototxt", topology);
    made.caffe.disable_weights = true;
    made.output_dir = path("out");
    return made;
  }
  /// The same with a .caffemodel of this content.
  Options options(std::string_view topology, std::string_view weights) const {
    Options made = options(topology);
    made.caffe.disable_weights = false;
    made.input_model = write("m.caffemodel", weights);
    return made;
  }
  static test::Outcome run(const Options& options, const test::Bounds& bounds = {}) {
    return test::run_isolated([&](DiagnosticSink& sink) { return convert(options, sink); }, bounds);
  }

  std::vector<std::string> written() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out"))
      names.push_back(entry.path().filename());
    return names;
  }
  void clean() const {
    for (const std::string& name : written()) std::filesystem::remove(folder_ / "out" / name);
  }
  /// The contract for bad input: an error of that code, whose text has `part` in it; nothing is written; bounded time
  /// and memory.
  void refused(const test::Outcome& outcome, std::string_view code, std::string_view part = {}) const {
    EXPECT_EQ(outcome.failure, "");
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_NE(outcome.text.find(part), std::string::npos) << "no \"" << part << "\" in:\n" << outcome.text;
    EXPECT_EQ(written(), std::vector<std::string>{});
    clean();
  }
  /// The same for what turns out to be legal.
  void converted(const test::Outcome& outcome) const {
    EXPECT_EQ(outcome.failure, "");
    EXPECT_EQ(outcome.code, "") << outcome.text;
    EXPECT_EQ(written().size(), 2U);
    clean();
  }
  void refused(std::string_view title, std::string_view topology, std::string_view code,
               std::string_view part = {}) const {
    SCOPED_TRACE(title);
    refused(run(options(topology)), code, part);
  }
  void converted(std::string_view title, std::string_view topology) const {
    SCOPED_TRACE(title);
    converted(run(options(topology)));
  }
};

}  // namespace mo::caffe::testing
