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
        return std::move(diagnostic)
            .hint("make what follows it the input of the model, with --input on the node after '{}'", node.name());
      return std::move(diagnostic)
          .hint(
              "cut the model after it and feed its result: --input \"{}:0[{}]\", with the shape that the model expects",
              node.name(), refusal.shape);
    });
}

}  // namespace

/// What an application does before a model runs: reading files, decoding, strings.
void register_strings_and_audio(OperatorTable& table) {
  refuse(table, kFilesAndMedia, "MO-TF-0740", "reads or writes files, images or sound, which the IR cannot express");
  refuse(table, kStrings, "MO-TF-0741", "works on strings, which the IR cannot express");
  refuse(table, kPython, "MO-TF-0743", "calls a Python function, which is not in the model");
}

}  // namespace mo::tensorflow
