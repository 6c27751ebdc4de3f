#include <array>

#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {
namespace {

/// An op that no IR expresses, with the cut that leaves it to the application.
struct Refusal {
  const char* op;
  const char* shape;  ///< an example of what the cut takes
};

constexpr std::array kFilesAndMedia = {
    Refusal{"DecodeWav", "16000 1"},
    Refusal{"EncodeWav", ""},
    Refusal{"AudioSpectrogram", "1 99 257"},
    Refusal{"Mfcc", "1 99 40"},
    Refusal{"DecodeJpeg", "224 224 3"},
    Refusal{"DecodeAndCropJpeg", "224 224 3"},
    Refusal{"EncodeJpeg", ""},
    Refusal{"ExtractJpegShape", "3"},
    Refusal{"DecodePng", "224 224 3"},
    Refusal{"EncodePng", ""},
    Refusal{"DecodeBmp", "224 224 3"},
    Refusal{"DecodeGif", "1 224 224 3"},
    Refusal{"DecodeImage", "224 224 3"},
    Refusal{"ReadFile", ""},
    Refusal{"MatchingFiles", ""},
    Refusal{"WholeFileReader", ""},
    Refusal{"WholeFileReaderV2", ""},
    Refusal{"TFRecordReader", ""},
    Refusal{"TFRecordReaderV2", ""},
    Refusal{"ReaderRead", ""},
    Refusal{"ReaderReadV2", ""},
};

constexpr std::array kStrings = {
    Refusal{"DecodeRaw", "784"},
    Refusal{"DecodePaddedRaw", "1 784"},
    Refusal{"DecodeCSV", "1"},
    Refusal{"DecodeBase64", ""},
    Refusal{"EncodeBase64", ""},
    Refusal{"DecodeCompressed", ""},
    Refusal{"DecodeJSONExample", ""},
    Refusal{"ParseExample", "1"},
    Refusal{"ParseExampleV2", "1"},
    Refusal{"ParseSingleExample", "1"},
    Refusal{"ParseSequenceExample", "1"},
    Refusal{"ParseSequenceExampleV2", "1"},
    Refusal{"ParseTensor", "1"},
    Refusal{"SerializeTensor", ""},
    Refusal{"StringFormat", ""},
    Refusal{"StringJoin", ""},
    Refusal{"StringLength", "1"},
    Refusal{"StringLower", ""},
    Refusal{"StringNGrams", ""},
    Refusal{"StringSplit", ""},
    Refusal{"StringSplitV2", ""},
    Refusal{"StringStrip", ""},
    Refusal{"StringToHashBucket", "1"},
    Refusal{"StringToHashBucketFast", "1"},
    Refusal{"StringToHashBucketStrong", "1"},
    Refusal{"StringToNumber", "1"},
    Refusal{"StringUpper", ""},
    Refusal{"Substr", ""},
    Refusal{"AsString", ""},
    Refusal{"ReduceJoin", ""},
    Refusal{"RegexFullMatch", "1"},
    Refusal{"RegexReplace", ""},
    Refusal{"StaticRegexFullMatch", "1"},
    Refusal{"StaticRegexReplace", ""},
    Refusal{"UnicodeDecode", "1"},
    Refusal{"UnicodeDecodeWithOffsets", "1"},
    Refusal{"UnicodeEncode", ""},
    Refusal{"UnicodeScript", "1"},
    Refusal{"UnicodeTranscode", ""},
    Refusal{"UnsortedSegmentJoin", ""},
};

constexpr std::array kPython = {
    Refusal{"PyFunc", "1"},
    Refusal{"PyFuncStateless", "1"},
    Refusal{"EagerPyFunc", "1"},
};

template <std::size_t count>
void refuse(OperatorTable& table, const std::array<Refusal, count>& refusals, const char* code, const char* what) {
  for (const Refusal& refusal : refusals)
    table.refuse(refusal.op, [refusal, code, what](const FrameworkNode& node) -> Expected<Op> {
      Diagnostic diagnostic = node.error(code, "{} {}", refusal.op, what);
      if (*refusal.shape == '\0')
        return std::move(diagnostic).hint("make what follows it the input of the model, with --input on the node behind '{}'", node.name());
      return std::move(diagnostic)
          .hint("cut the model behind it and feed its result: --input \"{}:0[{}]\", with the shape that the model wants", node.name(), refusal.shape);
    });
}

/// Queues, iterators and their takers: types and shapes are what matters, the replacer of TfDataSource puts them together.
Expected<Op> data_source(const FrameworkNode& node, const char* types, const char* shapes, bool many) {
  AttributeMap attributes{{"many", many}};
  node.ignore({"timeout_ms", "shared_name", "container", "capacity", "min_after_dequeue", "dataset_factory", "seed", "seed2"});
  if (auto list = node.optional_attr<std::vector<std::string>>(types)) {
    if (!list->empty()) node.declare_outputs(list->size());
    attributes.set("types", *std::move(list));
  }
  if (auto list = node.optional_attr<AttributeValue>(shapes)) attributes.set("shapes", *std::move(list));
  return front_op("TfDataSource", std::move(attributes));
}

}  // namespace

/// What an application does in front of a model: reading files, decoding, texts, queues.
void register_strings_and_audio(OperatorTable& table) {
  refuse(table, kFilesAndMedia, "MO-TF-0740", "reads or writes files, images or sound, which the IR cannot express");
  refuse(table, kStrings, "MO-TF-0741", "works on strings, which the IR cannot express");
  refuse(table, kPython, "MO-TF-0743", "calls a Python function, which is not in the model");

  for (const char* op : {"IteratorGetNext", "IteratorGetNextSync"})
    table.extract(op, [](const FrameworkNode& node) { return data_source(node, "output_types", "output_shapes", false); });
  for (const char* op : {"QueueDequeue", "QueueDequeueV2"})
    table.extract(op, [](const FrameworkNode& node) { return data_source(node, "component_types", "shapes", false); });
  for (const char* op : {"QueueDequeueMany", "QueueDequeueManyV2", "QueueDequeueUpTo", "QueueDequeueUpToV2"})
    table.extract(op, [](const FrameworkNode& node) { return data_source(node, "component_types", "shapes", true); });
  // The handles: one output, which only carries types and shapes.
  const auto handle = [](const char* types, const char* shapes) {
    return [types, shapes](const FrameworkNode& node) -> Expected<Op> {
      auto op = data_source(node, types, shapes, false);
      node.declare_outputs(1);
      if (!op) return op;
      AttributeMap attributes;
      for (const char* name : {"types", "shapes"})
        if (AttributeValue value = op->attribute(name); !value.is_none()) attributes.set(name, std::move(value));
      return front_op("TfDataHandle", std::move(attributes));
    };
  };
  for (const char* op : {"FIFOQueue", "FIFOQueueV2", "PaddingFIFOQueue", "PaddingFIFOQueueV2", "RandomShuffleQueue", "RandomShuffleQueueV2"})
    table.extract(op, handle("component_types", "shapes"));
  for (const char* op : {"Iterator", "IteratorV2", "OneShotIterator", "AnonymousIterator", "AnonymousIteratorV2"})
    table.extract(op, handle("output_types", "output_shapes"));
}

}  // namespace mo::tensorflow
