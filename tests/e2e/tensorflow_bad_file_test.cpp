#include <sys/stat.h>
#include <unistd.h>

#include "tests/e2e/tensorflow_model.hpp"

/// Files that are not models, or corrupt ones.
namespace mo::test {
namespace {

class TensorFlowBadFile : public BadInput {
 protected:
  void refused_bytes(std::string_view title, std::string_view bytes, std::string_view code,
                     std::string_view part = "m.pb") const {
    SCOPED_TRACE(title);
    refused(run_bytes(bytes), code, part);
  }
};

const std::string kGood = wire_input("x") + wire_node("y", "Relu", {"x"});

/// Rows 1 to 4 and 65.
TEST_F(TensorFlowBadFile, SomethingElse) {
  refused_bytes("empty", "", "MO-IO-0020");
  refused_bytes("random bytes", std::string("\xC3\x01\xFF\x92\x11\x80\xE2\x33", 8), "MO-PB-0003");
  refused_bytes("a Git LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 100\n",
                "MO-IO-0021", "git lfs pull");
  refused_bytes("an HTML page", "<!DOCTYPE html>\n<html><body>404</body></html>", "MO-IO-0022");
  refused_bytes("a zip archive", std::string("PK\x03\x04\x14\0\0\0", 8), "MO-IO-0023", "unpack");
  refused_bytes("gzip", std::string("\x1F\x8B\x08\0\0\0", 6), "MO-IO-0023", "unpack");
  refused_bytes("a Keras file", "\x89HDF\r\n\x1A\n", "MO-CLI-0021");
  refused_bytes("JSON", "{ \"node\": [] }", "MO-CLI-0071", "JSON");
  refused_bytes("a prototxt of another framework", "layer { name: 'x' type: 'ReLU' }", "MO-CLI-0071");
  refused_bytes("text with an error", "node { name: 'x' op: 'Placeholder' ", "MO-TF-0002", "line 1");
  refused_bytes("text with a number that is none",
                "node { name: 'x' op: 'Const' attr { key: 'a' value { i: 99999999999999999999 } } }", "MO-TF-0002",
                "column");
  Options text = model(kGood, "m.pb");
  text.tensorflow.input_model_is_text = true;
  converted(run(text));
  // Text under the name of binary files is read as text, and the other way round.
  converted(run_bytes(input("x", "2") + node("y", "Relu", "x")));
  converted(run(model(kGood, "m.pbtxt")));
}

TEST_F(TensorFlowBadFile, PathsThatAreNotFiles) {
  Options options = model(kGood, "m.pb");
  options.input_model = folder_ / "gone.pb";
  refused(run(options), "MO-IO-0001", "gone.pb");
  options.input_model = folder_.path();
  refused(run(options), "MO-CLI-0071", "SavedModel");
  options.input_model = folder_ / "pipe.pb";
  ASSERT_EQ(::mkfifo(options.input_model.c_str(), 0600), 0);
  refused(run(options), "MO-IO-0002", "pipe.pb");
}

/// Row 5: never a crash; a cut between two nodes is a smaller model, anything else is refused.
TEST_F(TensorFlowBadFile, CutAnywhere) {
  const std::string whole = wire_input("x") + wire_constant("w", 1, {2}, bytes_field(4, std::string(8, '\0'))) +
                            wire_node("y", "AddV2", {"x", "w"});
  const Outcome all = run_isolated([&](DiagnosticSink& sink) -> Expected<Report> {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Options options = model(whole.substr(0, size), "m.pb");
      if (const auto report = convert(options, sink); report && size != wire_input("x").size())
        return error("MO-TEST-0001", "{} of {} bytes were converted", size, whole.size());
    }
    return Report{};
  });
  EXPECT_EQ(all.failure, "");
  EXPECT_EQ(all.code, "") << all.text;
}

/// Rows 6 to 11.
TEST_F(TensorFlowBadFile, WireForm) {
  refused_bytes("a number of 11 bytes", kGood + '\x08' + std::string(10, '\xFF') + '\x01', "MO-PB-0004");
  refused_bytes("a field of 2^63-1 bytes", kGood + '\x0A' + varint(INT64_MAX), "MO-PB-0001");
  refused_bytes("a field of 2^32 bytes", kGood + '\x0A' + varint(1ULL << 32), "MO-PB-0001");
  refused_bytes("a string longer than its node", bytes_field(1, "\x0A\x7Fx"), "MO-PB-0001");
  refused_bytes("field number 0", kGood + std::string("\x02\x00", 2), "MO-PB-0002");
  refused_bytes("wire type 6", kGood + '\x0E', "MO-PB-0003");
  refused_bytes("wire type 7", kGood + '\x0F', "MO-PB-0003");
  refused_bytes("ten million open groups", kGood + std::string(10'000'000, '\x9B'), "MO-PB-0004");
  refused_bytes("a group that nobody opened", kGood + '\x9C' + '\x06', "MO-PB-0005");
  std::string deep;
  for (int i = 0; i < 10'000; ++i)
    deep = bytes_field(
        10, bytes_field(2, bytes_field(1, "f") + bytes_field(2, bytes_field(1, "a") + bytes_field(2, deep))));
  refused_bytes("functions in attributes of functions",
                wire_input("x") + wire_node("y", "Relu", {"x"}, wire_attribute("f", deep.substr(0, 2'000'000))),
                "MO-PB-0001", "");
  refused_bytes("a model of another framework", bytes_field(7, bytes_field(1, "node")) + varint_field(1, 8),
                "MO-CLI-0070");
}

/// Row 12: 50 million nodes without name or op.
TEST_F(TensorFlowBadFile, VeryManyEmptyNodes) {
  std::string bytes;
  for (int i = 0; i < 25'000'000; ++i) bytes += std::string_view("\x0A\x00", 2);
  refused_bytes("empty nodes", bytes, "MO-TF-0003");
}

/// Rows 14 to 16.
TEST_F(TensorFlowBadFile, Names) {
  const auto named = [](const std::string& name) { return wire_input("x") + wire_node(name, "Relu", {"x"}); };
  for (const std::string& name :
       {std::string("\xFF\xFEname"), std::string("a\0b", 3), std::string("a\x01\x1F"), std::string("<&\"]]>'"),
        std::string("\xED\xA0\x80"), std::string("\xEF\xBF\xBF"), std::string("a\nb\tc")}) {
    SCOPED_TRACE(testing::PrintToString(name));
    const Options options = model(named(name), "m.pb");
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.failure, "");
    if (outcome.code.empty()) {
      std::ifstream xml(folder_ / "out/m.xml", std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(xml), {}};
      EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
      }));
      EXPECT_EQ(text.find('\xFF'), std::string::npos);
      converted(outcome);
    } else {
      refused(outcome, outcome.code);
    }
  }
  refused_bytes("a name of 64 MB", named(std::string(64 << 20, 'n')), "MO-PB-0008", "");
}

/// Row 41: the file shrinks, or becomes another one, while it is converted.
TEST_F(TensorFlowBadFile, ChangedWhileItIsConverted) {
  struct Cutter : ProgressSink {
    explicit Cutter(std::string path) : path_(std::move(path)) {}
    void step(double, std::string_view step) override {
      if (step != "writing") return;
      ASSERT_EQ(::truncate(path_.c_str(), 100), 0);
    }
    std::string path_;
  };
  const std::string big(1 << 20, '\1');
  const Options options = model(wire_input("x", {1 << 18}) + wire_constant("w", 1, {1 << 18}, bytes_field(4, big)) +
                                    wire_node("y", "AddV2", {"x", "w"}),
                                "m.pb");
  const Outcome outcome = run_isolated([&](DiagnosticSink& sink) {
    Cutter cutter(options.input_model);
    return convert(options, sink, &cutter);
  });
  refused(outcome, "MO-IO-0003", "m.pb");
}

/// Rows 61 to 64, as far as they concern the whole conversion; the damages of checkpoints themselves:
/// checkpoint_damage_test.cpp.
TEST_F(TensorFlowBadFile, SavedModels) {
  Options options = model(kGood, "m.pb");
  options.input_model.clear();
  options.tensorflow.saved_model_dir = folder_ / "saved";
  refused(run(options), "MO-TF-0030", "saved");
  folder_.write("saved/readme.txt", "nothing");
  refused(run(options), "MO-TF-0030", "saved_model.pb");
  const std::string nodes =
      node("v", "VarHandleOp", "", type_attr("dtype", "DT_FLOAT") + attribute("shape", "shape { dim { size: 2 } }")) +
      node("r", "ReadVariableOp", "v", type_attr("dtype", "DT_FLOAT")) + input("x", "2") + node("y", "AddV2", "x r");
  const std::string saved = "meta_graphs { meta_info_def { tags: 'serve' } graph_def { " + nodes +
                            " } signature_def { key: 'serving_default' value { inputs { key: 'a' value { name: 'x:0' } "
                            "} outputs { key: 'b' value { "
                            "name: 'y:0' } } } } }";
  folder_.write("saved/saved_model.pbtxt", saved);
  refused(run(options), "MO-TF-0040", "'v'");
  options.tensorflow.saved_model_tags = {"train"};
  refused(run(options), "MO-TF-0032", "[serve]");
  options.tensorflow.saved_model_tags.clear();
  options.tensorflow.saved_model_signature = "other";
  refused(run(options), "MO-TF-0033", "serving_default");
  options.tensorflow.saved_model_signature.clear();
  folder_.write("saved/variables/variables.data-00000-of-99999", "");
  refused(run(options), "MO-TF-0400", "variables/variables");
  folder_.write("saved/variables/variables.index", "no table");
  refused(run(options), "MO-TF-0403", "variables.index");
  folder_.write("saved/variables/variables.index", std::string(4096, '\xFF'));
  refused(run(options), "MO-TF-0403", "variables.index");
  folder_.write("saved/saved_model.pb", "");
  refused(run(options), "MO-TF-0031", "both");
  std::filesystem::remove(folder_ / "saved/saved_model.pbtxt");
  refused(run(options), "MO-IO-0020", "saved_model.pb");
  folder_.write("saved/saved_model.pb", kGood);
  refused(run(options), "MO-TF-0001", "saved_model.pb");
}

TEST_F(TensorFlowBadFile, Checkpoints) {
  Options options = model(input("x", "2") +
                              node("v", "VariableV2", "",
                                   type_attr("dtype", "DT_FLOAT") + attribute("shape", "shape { dim { size: 2 } }")) +
                              node("r", "Identity", "v", type_attr("T", "DT_FLOAT")) + node("y", "AddV2", "x r"),
                          "m.pbtxt");
  refused(run(options), "MO-TF-0040", "'v'");
  options.tensorflow.input_checkpoint = folder_ / "model.ckpt";
  refused(run(options), "MO-TF-0400", "model.ckpt");
  folder_.write("model.ckpt", "what is this");
  refused(run(options), "MO-TF-0403", "model.ckpt");
  folder_.write("model.ckpt.index", std::string(100, '\0'));
  refused(run(options), "MO-TF-0403", "model.ckpt");
  options.tensorflow.input_checkpoint = folder_ / "m.pbtxt";
  refused(run(options), "MO-TF-0403", "m.pbtxt");
  Options meta = options;
  meta.input_model.clear();
  meta.tensorflow.input_checkpoint.clear();
  meta.tensorflow.input_meta_graph = folder_.write("m.meta", "\xFF\xFF\xFF");
  refused(run(meta), "MO-PB-0001", "m.meta");
}

}  // namespace
}  // namespace mo::test
