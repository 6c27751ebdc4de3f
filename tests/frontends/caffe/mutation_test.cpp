#include <fstream>
#include <random>

#include "driver/builtins.hpp"
#include "driver/pipeline.hpp"
#include "tests/e2e/run_many.hpp"
#include "tests/frontends/caffe/model_files.hpp"

/// Models with random changes: an error, or a model that is sound after every pass, never a crash.
namespace mo::caffe::testing {
namespace {

/// All phases of a conversion but the writing of files, for thousands of small models in one process.
class Pipeline {
 public:
  Pipeline() {
    register_builtins(registry_, "caffe");
    auto made = make_pipeline(registry_, "caffe", Options{});
    EXPECT_TRUE(made) << (made ? "" : made.error().first().format());
    if (!made) return;
    manager_ = *std::move(made);
    manager_->verify_each = true;
  }
  explicit operator bool() const { return manager_ != nullptr; }

  Expected<void> run(Expected<std::unique_ptr<Graph>> graph) {
    if (!graph) return std::move(graph).error();
    DiagnosticList sink;
    PassContext context{sink, settings_, &manager_->config};
    for (const Phase phase : kPhases) MO_TRY(manager_->run(phase, **graph, context));
    return {};
  }
  Expected<void> run_text(const std::string& text) {
    DiagnosticList sink;
    return run(read_net_text(text, sink));
  }

 private:
  Registry registry_;
  std::unique_ptr<PassManager> manager_;
  Settings settings_ = settings_of(Options{});
};

/// The topologies of tests/frontends/caffe/*.test, by file.
std::map<std::string, std::vector<std::string>> topologies_of_tests() {
  std::map<std::string, std::vector<std::string>> models;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(MO_TESTS_DIR) / "frontends/caffe")) {
    if (entry.path().extension() != ".test") continue;
    std::ifstream file(entry.path());
    std::string* text = nullptr;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("===") || line.starts_with("---"))
        text = line == "--- prototxt" ? &models[entry.path().stem()].emplace_back() : nullptr;
      else if (text)
        *text += line + "\n";
    }
  }
  return models;
}

/// Changes words and numbers of texts; brackets mostly stay.
class Mutations {
 public:
  explicit Mutations(std::vector<std::string> texts) {
    for (const std::string& text : texts) models_.push_back(split(text));
  }

  /// The i-th mutant: always the same.
  std::string operator()(std::size_t i) {
    random_.seed(static_cast<unsigned>(i * 2'654'435'761U + 17));
    std::vector<std::string> tokens = models_[i % models_.size()];
    const std::size_t changes = 1 + below(3);
    for (std::size_t k = 0; k < changes && !tokens.empty(); ++k) change(tokens);
    std::string text;
    for (const std::string& token : tokens) text += token + (token == "}" ? "\n" : " ");
    return text;
  }

 private:
  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> tokens;
    std::string token;
    const auto end = [&] {
      if (!token.empty()) tokens.push_back(std::exchange(token, ""));
    };
    for (const char c : text) {
      if (c == ' ' || c == '\n') {
        end();
      } else if (std::string_view("{}[],").find(c) != std::string_view::npos) {
        end();
        tokens.emplace_back(1, c);
      } else {
        token += c;
      }
    }
    end();
    return tokens;
  }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_()) % count; }
  static bool is_number(const std::string& token) {
    return token.find_first_not_of("0123456789.-e") == std::string::npos &&
           token.find_first_of("0123456789") != std::string::npos;
  }

  void change(std::vector<std::string>& tokens) {
    const std::size_t at = below(tokens.size());
    std::string& token = tokens[at];
    const auto position = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    if (is_number(token)) {
      constexpr std::array<const char*, 22> kNumbers = {
          "0",   "1",    "-1",         "2",           "3",          "-2",  "5",   "7",    "100", "-100", "0.5",
          "1e9", "1e30", "2147483647", "-2147483648", "4294967296", "nan", "inf", "-inf", "MAX", "'x'",  "true"};
      const std::size_t which = below(24);
      if (which < 22)
        token = kNumbers[which];
      else
        token = which == 22 ? "9223372036854775807" : "-9223372036854775808";
      return;
    }
    switch (below(8)) {
      case 0: tokens.erase(position); break;
      case 1:
        tokens.erase(position, position + static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, tokens.size() - at)));
        break;
      case 2: tokens.insert(position, std::string(token)); break;
      case 3: std::swap(token, tokens[below(tokens.size())]); break;
      case 4: {
        // A field once more: name and value.
        const std::vector<std::string> field(
            position, position + static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, tokens.size() - at)));
        tokens.insert(position, field.begin(), field.end());
        break;
      }
      default: {
        // Another word of the same kind: a field's name for a field's name, a string for a string.
        std::vector<std::size_t> alike;
        for (std::size_t i = 0; i < tokens.size(); ++i)
          if (tokens[i].back() == token.back()) alike.push_back(i);
        token = std::string(tokens[alike[below(alike.size())]]);
        break;
      }
    }
  }

  std::vector<std::vector<std::string>> models_;
  std::mt19937 random_;
};

TEST(CaffeMutation, TopologiesNeverCrash) {
  constexpr std::size_t kPerModel = 12;
  Pipeline pipeline;
  ASSERT_TRUE(pipeline);
  std::size_t models = 0;
  for (const auto& [file, texts] : topologies_of_tests()) {
    SCOPED_TRACE(file);
    models += texts.size();
    EXPECT_EQ(test::run_many(kPerModel * texts.size(), Mutations(texts),
                             [&](const std::string& text) { return pipeline.run_text(text); },
                             {.seconds = 60, .peak_bytes = 512ULL << 20U}),
              "");
  }
  EXPECT_GT(models, 200U);
}

class CaffeMutations : public ModelFiles {};

/// Each byte of a small weight file and of its topology, changed in several ways.
TEST_F(CaffeMutations, EveryByteOfBothFiles) {
  Pipeline pipeline;
  ASSERT_TRUE(pipeline);
  const std::string topology =
      net(layer("c", "Convolution", "data", "convolution_param { num_output: 2 kernel_size: 1 }") +
          layer("b", "BatchNorm", "c"));
  const std::string weights =
      bytes(1, "n") +
      stored("c", {blob({2, 2, 1, 1}), number(1, 1) + number(2, 1) + number(3, 1) + number(4, 2) + packed({3, 4})}) +
      stored("b", {blob({2}), blob({2}), shape({1}) + bytes(8, raw<double>({1}))});
  ASSERT_TRUE(pipeline.run(std::move(read(topology, weights).graph)));
  const test::Bounds bounds{.seconds = 60, .peak_bytes = 512ULL << 20U};
  const auto changed = [](const std::string& whole, std::size_t i) {
    constexpr std::string_view kBytes("\x00\x01\x7F\x80\xFF{\"\n0-", 10);
    std::string mutant = whole;
    mutant[i / (kBytes.size() + 1)] = i % (kBytes.size() + 1) == kBytes.size()
                                          ? static_cast<char>(mutant[i / (kBytes.size() + 1)] ^ 0x10)
                                          : kBytes[i % (kBytes.size() + 1)];
    return mutant;
  };
  EXPECT_EQ(
      test::run_many(
          11 * weights.size(), [&](std::size_t i) { return changed(weights, i); },
          [&](const std::string& mutant) { return pipeline.run(std::move(read(topology, mutant).graph)); }, bounds),
      "");
  EXPECT_EQ(
      test::run_many(
          11 * topology.size(), [&](std::size_t i) { return changed(topology, i); },
          [&](const std::string& mutant) { return pipeline.run(std::move(read(mutant, weights).graph)); }, bounds),
      "");
}

}  // namespace
}  // namespace mo::caffe::testing
