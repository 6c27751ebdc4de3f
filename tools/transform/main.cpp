#include <csignal>
#include <new>

#include "core/files/temporaries.hpp"
#include "tools/common/console.hpp"
#include "tools/transform/transform.hpp"

int main(int argc, char** argv) {
  // TensorFlow's tool ends with -1 whatever is wrong, and scripts ask for that.
  constexpr int kFailed = 255;
  mo::remove_unfinished_output_on_signals();
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return mo::tools::transform_main(argc, argv) == mo::ExitCode::ok ? 0 : kFailed;
  } catch (const std::bad_alloc&) {
    mo::tools::print(mo::error("MO-GTT-0090", "out of memory").hint("raise the memory limit of the process (ulimit -v, container)"));
    return kFailed;
  }
}
