#pragma once

#include <csignal>

namespace mo::tools {

/// While one lives, the first SIGINT or SIGTERM does not end the program but is remembered; a second one ends it as
/// before. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool came() const;
};

}  // namespace mo::tools
