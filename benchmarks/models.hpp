#pragma once

#include "benchmarks/onnx_writer.hpp"

namespace mo::benchmarks {

/// An encoder as exporters write it (opset 13): token and position embeddings, then blocks of attention and
/// feed-forward with layer normalisation in single operations, batch and sequence length unknown. The defaults make 400
/// MB.
struct TransformerSize {
  std::int64_t layers = 12;
  std::int64_t hidden = 768;
  std::int64_t heads = 12;
  std::int64_t vocabulary = 19456;
  std::int64_t positions = 512;
};
OnnxWriter transformer(const TransformerSize& size);

/// A decoder with 4-bit weights as the model builder of onnxruntime-genai writes it: MatMulNBits in blocks of 32 with
/// scales of f32, GroupQueryAttention with rotary positions and caches, root-mean-square normalizations. The defaults
/// have 1.1 billion parameters and make 920 MB.
struct DecoderSize {
  std::int64_t layers = 22;
  std::int64_t hidden = 2048;
  std::int64_t heads = 32;
  std::int64_t cached_heads = 8;
  std::int64_t feed_forward = 5632;
  std::int64_t vocabulary = 32000;
  std::int64_t positions = 2048;
};
OnnxWriter decoder(const DecoderSize& size);

/// ResNet-50 with convolutions, batch normalisations and a dense layer as separate nodes (opset 13): 100 MB, batch
/// unknown.
OnnxWriter resnet50();

/// `nodes` named elementwise nodes one after the other; each fifth one has the graph's input as second operand.
OnnxWriter chain(std::int64_t nodes);

/// A dense layer with activation and SoftMax: what start-up costs.
OnnxWriter tiny();

}  // namespace mo::benchmarks
