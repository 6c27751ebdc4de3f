#pragma once

#include <span>
#include <string_view>

#include "core/types/element_type.hpp"

namespace mo {

/// The newest op set of IR version 10, and that of the first release that reads version 11.
inline constexpr int kNewestOpSetOfVersion10 = 7;
inline constexpr int kFirstOpSetOfVersion11 = 8;

/// A release of OpenVINO and the newest op set that its IR reader registers. IR version 10 is read by all, version 11
/// by first_release::reading_version_11 and later ones.
struct RuntimeRelease {
  std::string_view name;
  int op_set = 0;

  constexpr bool reads_v11() const { return op_set >= kFirstOpSetOfVersion11; }
};

/// What releases brought besides op sets and element types.
namespace first_release {
inline constexpr std::string_view reading_version_11 = "2022.1";
/// Takes the low half of a byte as the first of two 4-bit elements; older ones take the high half.
inline constexpr std::string_view with_low_half_first = "2023.2";
/// States may have another size in each run.
inline constexpr std::string_view with_growing_states = "2023.3";
/// Computes antialiased Interpolate by its definition where it has no kernel.
inline constexpr std::string_view with_defined_antialiasing = "2025.4";
}  // namespace first_release

/// What later releases no longer do.
namespace last_release {
inline constexpr std::string_view limited_to_version_10 = "2021.4";
/// Gives what a loop without iterations collects another shape.
inline constexpr std::string_view reshaping_empty_loops = "2022.1";
}  // namespace last_release

/// From 2020.1 to the newest one that is known.
std::span<const RuntimeRelease> runtime_releases();
const RuntimeRelease& newest_runtime();
/// The release that reads what `name` ("2021.4", "2022.3.1", "2026.0", "latest") reads: a patch as its release, one
/// between or after the known ones as the last known before it. Null if `name` is not a release, or one before 2020.1.
const RuntimeRelease* find_runtime(std::string_view name);
/// Returns true if `name` is an older release than `other`; both as find_runtime reads them.
bool is_older(std::string_view name, std::string_view other);
/// Where an element type came later than others: names of the first releases, empty where no release does.
struct ElementTypeReleases {
  ElementType type;
  std::string_view constants;  ///< reads constants of it, packed as mo packs them
  std::string_view results;    ///< computes tensors of it while the model runs
  std::string_view inputs;     ///< takes tensors of it as inputs of the model
};
/// Null for types that every release has.
const ElementTypeReleases* releases_with(ElementType type);

/// The release that brought op `type` to this op set, for an op that the first release with the op set does not have;
/// empty for all others.
std::string_view late_release_of(int op_set, std::string_view type);
/// The first release that reads op `type` of this op set, one of runtime_releases(); null when none is known.
const RuntimeRelease* first_runtime_with(int op_set, std::string_view type);

}  // namespace mo
