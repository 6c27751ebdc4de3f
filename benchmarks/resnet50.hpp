#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>

namespace mo::benchmarks {

/// The bottlenecks of ResNet-50 in their order, behind a stem of 64 channels, whichever the framework: fn(name, x,
/// channels of x, middle channels, stride) adds one and gives its result, which has 4 * middle channels. Returns the
/// last result.
template <class Fn>
std::string resnet50_bottlenecks(std::string x, Fn&& fn) {
  struct Stage {
    int blocks;
    std::int64_t middle;
  };
  constexpr std::array<Stage, 4> kStages{{{3, 64}, {4, 128}, {6, 256}, {3, 512}}};
  std::int64_t channels = 64;
  for (std::size_t s = 0; s < kStages.size(); ++s)
    for (int b = 0; b < kStages[s].blocks; ++b) {
      x = fn(fmt::format("stage{}/block{}", s + 1, b), x, channels, kStages[s].middle,
             std::int64_t{b == 0 && s > 0 ? 2 : 1});
      channels = 4 * kStages[s].middle;
    }
  return x;
}

/// Channels of its result.
inline constexpr std::int64_t kResnet50Channels = 2048;

}  // namespace mo::benchmarks
