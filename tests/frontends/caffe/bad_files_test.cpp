#include <sys/stat.h>
#include <unistd.h>

#include "tests/frontends/caffe/bad_input.hpp"

/// Files that are not Caffe models, or corrupt ones. Rows: those of the list of bad inputs in docs/bad_input.md.
namespace mo::caffe::testing {
namespace {

const std::string kTopology = net(layer("p", "PReLU", "data"));
const std::string kWeights = stored("p", {blob({2})});

class CaffeBadFile : public BadInput {
 protected:
  void refused_weights(std::string_view title, std::string_view weights, std::string_view code,
                       std::string_view part = "m.caffemodel") const {
    SCOPED_TRACE(title);
    refused(run(options(kTopology, weights)), code, part);
  }
  void refused_text(std::string_view title, std::string_view text, std::string_view code,
                    std::string_view part = "m.prototxt") const {
    SCOPED_TRACE(title);
    refused(run(options(text, kWeights)), code, part);
  }
};

TEST_F(CaffeBadFile, SomethingElse) {
  refused_weights("empty", "", "MO-IO-0020");
  refused_weights("random bytes", std::string("\xC3\x01\xFF\x92\x11\x80\xE2\x33", 8), "MO-PB-0003");
  refused_weights("a topology", kTopology, "MO-CLI-0071", "--input_model WEIGHTS.caffemodel");
  refused_weights("a Git LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 100\n",
                  "MO-IO-0021", "git lfs pull");
  refused_weights("a web page", "<!DOCTYPE html>\n<html><body>404</body></html>", "MO-IO-0022");
  refused_weights("a zip archive", std::string("PK\x03\x04\x14\0\0\0", 8), "MO-IO-0023", "unpack");
  refused_weights("an HDF5 file of weights", "\x89HDF\r\n\x1A\n", "MO-CLI-0021");
  refused_weights("the state of a solver", number(1, 7) + bytes(2, "net.caffemodel"), "MO-PB-0003");
  refused_weights("a model of another framework", bytes(7, bytes(1, "node")), "MO-CAFFE-0025");
  refused_text("empty", "", "MO-IO-0020");
  refused_text("blank", " \n\n# nothing\n", "MO-CAFFE-0004");
  refused_text("weights", kWeights, "MO-CAFFE-0001", "line 1, column");
  refused_text("a Git LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 100\n",
               "MO-IO-0021", "git lfs pull");
  refused_text("a web page", "<!DOCTYPE html>\n<html><body>404</body></html>", "MO-IO-0022");
  refused_text("gzip", std::string("\x1F\x8B\x08\0\0\0", 6), "MO-IO-0023", "unpack");
  refused_text("JSON", "{ \"layer\": [] }", "MO-CAFFE-0001", "line 1, column 1");
  refused_text("a solver", "net: \"train.prototxt\"\nbase_lr: 0.1\n", "MO-CAFFE-0004", "solver");
  refused_text("nodes of TensorFlow", "node { name: 'x' op: 'Placeholder' }", "MO-CAFFE-0004");
}

TEST_F(CaffeBadFile, PathsThatAreNotFiles) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const auto& [file, code] : {std::pair(path("gone"), "MO-IO-0001"), std::pair(folder_.string(), "MO-IO-0002"),
                                   std::pair(pipe, "MO-IO-0002")}) {
    SCOPED_TRACE(file);
    Options made = options(kTopology, kWeights);
    made.input_model = file;
    refused(run(made), file == folder_.string() ? "MO-CLI-0071" : code, file);  // a folder might be a SavedModel
    made = options(kTopology, kWeights);
    made.caffe.input_proto = file;
    refused(run(made), code, file);
    made = options(kTopology, kWeights);
    made.caffe.mean_file = file;
    refused(run(made), code, file);
    made = options(kTopology, kWeights);
    made.caffe.custom_layers_mapping = file;
    refused(run(made), code, file);
  }
}

/// No file of the model is written over, whatever it is called.
TEST_F(CaffeBadFile, OutputInThePlaceOfTheModel) {
  Options made = options(kTopology, kWeights);
  made.output_dir = folder_.string();
  made.caffe.input_proto = write("m.xml", kTopology);
  refused(run(made), "MO-EMIT-0003", "m.xml");
  EXPECT_EQ(content("m.xml"), kTopology);
  made = options(kTopology, kWeights);
  made.output_dir = folder_.string();
  made.input_model = write("m.bin", kWeights);
  refused(run(made), "MO-EMIT-0003", "m.bin");
  EXPECT_EQ(content("m.bin"), kWeights);
}

TEST_F(CaffeBadFile, WireForm) {
  refused_weights("a number of 11 bytes", kWeights + '\x08' + std::string(10, '\xFF') + '\x01', "MO-PB-0004");
  refused_weights("a field of 2^63-1 bytes", kWeights + "\xA2\x06" + varint(INT64_MAX), "MO-PB-0001");
  refused_weights("a field of 2^32 bytes", kWeights + "\xA2\x06" + varint(1ULL << 32U), "MO-PB-0001");
  refused_weights("a blob longer than its layer", bytes(100, bytes(1, "p") + "\x3A\x7Fx"), "MO-PB-0001");
  refused_weights("values longer than their blob", stored("p", {"\x2A\x7Fxxxx"}), "MO-PB-0001");
  refused_weights("field number 0", kWeights + std::string("\x02\x00", 2), "MO-PB-0002");
  refused_weights("wire type 6", kWeights + '\x0E', "MO-PB-0003");
  refused_weights("wire type 7", kWeights + '\x0F', "MO-PB-0003");
  refused_weights("ten million open groups", kWeights + std::string(10'000'000, '\x9B'), "MO-PB-0004");
  refused_weights("a group that nobody opened", kWeights + '\x9C' + '\x06', "MO-PB-0005");
  refused_weights("a layer that is a number", number(100, 1), "MO-PB-0006");
  refused_weights("a blob that is a number", bytes(100, bytes(1, "p") + number(7, 1)), "MO-PB-0006");
  refused_weights("a name that is a number", bytes(100, number(1, 1)), "MO-PB-0006");
  refused_weights("a name of 64 MB", stored(std::string(64U << 20U, 'n'), {blob({2})}), "MO-PB-0008");
  std::string deep;
  for (int i = 0; i < 5'000; ++i) deep = bytes(1, deep);
  refused_weights("layers in layers in layers", bytes(2, deep), "MO-CAFFE-0031", "");
}

/// Counts that a file can hold in few bytes.
TEST_F(CaffeBadFile, VeryMany) {
  std::string layers;
  for (int i = 0; i < 1'100'000; ++i) layers += std::string_view("\xA2\x06\x00", 3);
  refused_weights("empty layers", layers, "MO-CAFFE-0009");
  std::string blobs;
  for (int i = 0; i < 70'000; ++i) blobs += std::string_view("\x3A\x00", 2);
  refused_weights("blobs of one layer", bytes(100, blobs), "MO-CAFFE-0009");
  blobs.resize(100'000);
  std::string many;
  for (int i = 0; i < 50; ++i) many += bytes(100, blobs);
  refused_weights("blobs of many layers", many, "MO-CAFFE-0009", "2000000 blobs");
  std::string dims;
  for (int i = 0; i < 10'000'000; ++i) dims += '\x01';
  refused_weights("dimensions of one blob", stored("p", {bytes(7, bytes(1, dims)) + packed({1, 2})}), "MO-CAFFE-0022",
                  "blob 0 of layer 'p'");
  std::string values;
  for (int i = 0; i < 9'000'000; ++i) values += "a:1 ";
  refused_text("values of a topology", values, "MO-CAFFE-0001", "more than 524288 values");
  std::string fields;
  for (int i = 0; i < 500'000; ++i) fields += i % 2 == 0 ? "a:1 " : "b:1 ";
  refused_text("fields of a topology", fields, "MO-CAFFE-0004");
  refused_text("a text of 80 MB", std::string(80U << 20U, ' '), "MO-IO-0026");
}

/// Never a crash; nothing that is cut off becomes a model.
TEST_F(CaffeBadFile, CutAnywhere) {
  const test::Outcome all = test::run_isolated([&](DiagnosticSink& sink) -> Expected<Report> {
    const std::string whole = bytes(1, "net") + kWeights;
    for (std::size_t size = 0; size < whole.size(); ++size)
      if (convert(options(kTopology, whole.substr(0, size)), sink))
        return error("MO-TEST-0001", "{} of {} bytes of weights were converted", size, whole.size());
    // Without the line feed at its end the text is whole.
    for (std::size_t size = 0; size + 1 < kTopology.size(); ++size)
      if (convert(options(kTopology.substr(0, size), kWeights), sink))
        return error("MO-TEST-0001", "{} of {} bytes of text were converted", size, kTopology.size());
    return Report{};
  });
  EXPECT_EQ(all.failure, "");
  EXPECT_EQ(all.code, "") << all.text;
}

TEST_F(CaffeBadFile, Names) {
  for (const std::string& name : {std::string("\\377\\376name"), std::string("a\\000b"), std::string("a\\001\\037"),
                                  std::string("<&\\\"]]>\\'"), std::string("\\355\\240\\200"),
                                  std::string("\\357\\277\\277"), std::string("a\\nb\\tc"), std::string("../../a/b")}) {
    SCOPED_TRACE(name);
    const test::Outcome outcome =
        run(options("name: \"" + name + "\" input: \"" + name + "\" input_dim: [1, 2] layer { name: \"" + name +
                    "2\" type: 'ReLU' bottom: \"" + name + "\" top: \"" + name + "2\" }"));
    EXPECT_EQ(outcome.failure, "");
    const std::string xml = content("out/m.xml");
    EXPECT_TRUE(std::none_of(xml.begin(), xml.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
    }));
    EXPECT_EQ(xml.find('\xFF'), std::string::npos);
    if (outcome.code.empty())
      converted(outcome);
    else
      refused(outcome, outcome.code);
  }
  const std::string longest(16U << 20U, 'n');
  const test::Outcome outcome =
      run(options(net(layer(longest, "ReLU", "data"))), {.seconds = 20, .peak_bytes = 512ULL << 20U});
  EXPECT_EQ(outcome.failure, "");
}

/// The file shrinks while it is converted.
TEST_F(CaffeBadFile, ChangedWhileItIsConverted) {
  struct Cutter : ProgressSink {
    explicit Cutter(std::string path) : path_(std::move(path)) {}
    void step(double, std::string_view step) override {
      if (step == "writing") { ASSERT_EQ(::truncate(path_.c_str(), 100), 0); }
    }
    std::string path_;
  };
  const Options made =
      options(net(layer("f", "InnerProduct", "data", "inner_product_param { num_output: 4096 bias_term: false }")),
              stored("f", {blob({4096, 32})}));
  const test::Outcome outcome = test::run_isolated([&](DiagnosticSink& sink) {
    Cutter cutter(made.input_model);
    return convert(made, sink, &cutter);
  });
  refused(outcome, "MO-IO-0003", "m.caffemodel");
}

}  // namespace
}  // namespace mo::caffe::testing
