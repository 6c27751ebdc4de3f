#include "core/registry/operator_table.hpp"

namespace mo::onnx {

/// Operators of ONNX Runtime that no IR can express, each with what it would need.
void register_microsoft_refused(OperatorTable& table) {
  struct Refusal {
    std::string_view reason;
    std::string_view hint;
    std::vector<std::string_view> ops;
  };
  const Refusal refusals[] = {
      {"its search runs a decoder whose graph and state belong to the runtime",
       "export encoder and decoder as models of their own and search outside",
       {"BeamSearch", "GreedySearch", "Sampling", "WhisperBeamSearch"}},
      {"an IR computes with no strings",
       "do this step outside of the model, and cut it off with --input",
       {"Tokenizer", "MurmurHash3", "StringConcat", "StringNormalizer", "BPETokenizer"}},
      {"what it writes depends on all earlier tokens of the sequence",
       "do this text generation step outside of the model",
       {"NGramRepeatBlock"}},
      {"an IR has no recurrent network with attention, and its weights have a special format",
       "export the model without this operator",
       {"AttnLSTM", "DynamicQuantizeLSTM", "WordConvEmbedding"}},
      {"it keeps keys and values in buffers of the runtime, or packs sequences whose lengths an IR cannot see",
       "export the model with Attention, MultiHeadAttention or GroupQueryAttention, or without fusion",
       {"DecoderAttention", "DecoderMaskedSelfAttention", "DecoderMaskedMultiHeadAttention", "PackedAttention",
        "PackedMultiHeadAttention", "LongformerAttention", "QOrderedAttention", "QOrderedLongformerAttention",
        "SparseAttention", "PagedAttention", "RemovePadding", "RestorePadding", "GatedRelativePositionBias",
        "RelativePositionBias", "GatedDeltaNet", "VarlenCausalConvWithState"}},
      {"its weights are in a format that no constant of an IR has",
       "quantise the model with QuantizeLinear and DequantizeLinear, or with MatMulNBits of 4 or 8 bits",
       {"MatMulBnb4", "MatMulFpQ4", "GemmFloat8", "QOrderedGelu", "QOrderedLayerNormalization", "QOrderedMatMul",
        "QuantizeWithOrder", "DequantizeWithOrder", "QuantizeBFP", "DequantizeBFP", "MatMulBlockQuantizedFp4Weight",
        "MatMulBlockQuantizedFp8Weight"}},
      {"it contains code that only one runtime can load",
       "export the model without compiling it for a device",
       {"EPContext", "Snpe", "ATen"}},
      {"it exists for training",
       "export the model for inference",
       {"BitmaskDropout", "BitmaskBiasDropout", "IsAllFinite"}},
      {"an IR has no operation for it, and it is not spelled out with others",
       "export the model without the optimisation that created it",
       {"DynamicTimeWarping", "UnfoldTensor", "BifurcationDetector", "MaxpoolWithMask", "SkipGroupNorm", "BiasSoftmax",
        "GemmaRotaryEmbedding", "QEmbedLayerNormalization"}},
      {"it computes integers that wrap at 64 bits, bit by bit",
       "do this text step outside of the model, and give it the ids with --input",
       {"NGramHashMapping", "VarlenNGramHashMapping"}},
      {"an IR has no sparse tensors", "export the model with a dense matrix", {"SparseToDenseMatMul"}},
  };
  for (const Refusal& refusal : refusals)
    for (const std::string_view op : refusal.ops)
      table.refuse("com.microsoft::" + std::string(op),
                   [reason = refusal.reason, hint = refusal.hint, op](const FrameworkNode& node) -> Expected<Op> {
                     return node.error("MO-ONNX-0443", "{} cannot be expressed: {}", op, reason).hint("{}", hint);
                   });
}

}  // namespace mo::onnx
