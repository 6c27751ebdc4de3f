#pragma once

#include "core/op.hpp"

namespace mo::ops {

// Sums (or means) of rows of emb_table (input 0) by bags of indices (input 1), each row multiplied by its weight in
// per_sample_weights. An empty bag gives the row default_index, or zeros without one or with -1.

enum class BagReduction { sum, mean };
inline constexpr std::array<std::string_view, 2> kBagReductionNames{"sum", "mean"};
constexpr const auto& names_of(BagReduction) { return kBagReductionNames; }

/// Inputs: table, indices, offsets (where each bag begins), default_index, weights.
struct EmbeddingBagOffsetsSum {
  static constexpr OpId id{"EmbeddingBagOffsetsSum", 3};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.shape_inputs = 0b1000};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// Inputs: table, indices [bags, indices per bag], weights.
struct EmbeddingBagPackedSum {
  static constexpr OpId id{"EmbeddingBagPackedSum", 3};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// Inputs: table, indices, segment_ids (the ascending bag of each index), num_segments, default_index, weights.
struct EmbeddingSegmentsSum {
  static constexpr OpId id{"EmbeddingSegmentsSum", 3};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.shape_inputs = 0b11000};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// EmbeddingBagOffsetsSum with a choice of reduction; weights only with sum.
struct EmbeddingBagOffsets {
  static constexpr OpId id{"EmbeddingBagOffsets", 15};
  BagReduction reduction = BagReduction::sum;
  static constexpr auto attributes = Attributes{attr("reduction", &EmbeddingBagOffsets::reduction)};
  static constexpr OpTraits traits{.shape_inputs = 0b1000};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// EmbeddingBagPackedSum with a choice of reduction; weights only with sum.
struct EmbeddingBagPacked {
  static constexpr OpId id{"EmbeddingBagPacked", 15};
  BagReduction reduction = BagReduction::sum;
  static constexpr auto attributes = Attributes{attr("reduction", &EmbeddingBagPacked::reduction)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
