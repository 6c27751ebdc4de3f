#pragma once

#include <span>
#include <string_view>

namespace mo {

/// A release of OpenVINO and the newest op set that its IR reader registers. IR version 10 is read by all, version 11
/// by 2022.1 and later ones.
struct RuntimeRelease {
  std::string_view name;
  int op_set = 0;

  bool reads_v11() const { return op_set >= 8; }
};

/// From 2020.1 to the newest one that is known.
std::span<const RuntimeRelease> runtime_releases();
const RuntimeRelease& newest_runtime();
/// The release that reads what `name` ("2021.4", "2022.3.1", "2026.0", "latest") reads: a patch as its release, one
/// between or after the known ones as the last known before it. Null if `name` is not a release, or one before 2020.1.
const RuntimeRelease* find_runtime(std::string_view name);
/// Returns true if `name` is an older release than `other`; both as find_runtime reads them.
bool is_older(std::string_view name, std::string_view other);
/// The release that brought op `type` to this op set, for an op that the first release with the op set does not have;
/// empty for all others.
std::string_view late_release_of(int op_set, std::string_view type);
/// The first release that reads op `type` of this op set, one of runtime_releases(); null when none is known.
const RuntimeRelease* first_runtime_with(int op_set, std::string_view type);

}  // namespace mo
