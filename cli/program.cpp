#include "cli/program.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "cli/run.hpp"
#include "cli/subcommand.hpp"
#include "core/files/temporaries.hpp"

namespace mo::cli {
namespace {

/// A closed stdin, stdout or stderr would give its number to the next file that is opened, and messages would end up in
/// the `.bin`.
void occupy_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (fcntl(descriptor, F_GETFD) == -1 && open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY) != descriptor)
      std::_Exit(static_cast<int>(ExitCode::conversion_failed));
}

ExitCode fail(Diagnostic problem) {
  const Error error(std::move(problem));
  print_errors(error);
  return exit_code_of(error);
}

}  // namespace

int program(int argc, char** argv) {
  occupy_standard_descriptors();
  // Weights come and go by the megabyte: memory that is kept needs no new pages from the kernel for each of them.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  remove_unfinished_output_on_signals();
  // `mo … | head` must neither kill us nor change the exit code.
  std::signal(SIGPIPE, SIG_IGN);
  ExitCode code = ExitCode::conversion_failed;
  try {
    std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    read_help_word(arguments);
    if (const auto done = run_subcommand(argc > 0 ? argv[0] : "", arguments)) return *done;
    if (!arguments.empty() && arguments.front() == "convert") arguments.erase(arguments.begin());
    const std::vector<tools::Subcommand> subcommands = tools::subcommands();
    if (const auto checked = check_words(arguments, subcommands); !checked) {
      print_errors(checked.error());
      return static_cast<int>(exit_code_of(checked.error()));
    }
    code = run(arguments, after_conversion, subcommands);
  } catch (const std::bad_alloc&) {
    // Nothing else in mo throws on purpose; this is the last barrier before std::terminate.
    code = fail(error("MO-CLI-0090", "there is not enough memory for this model")
                    .hint("raise the memory limit of the process (ulimit -v, container)"));
  } catch (const std::exception& unexpected) {
    code = fail(error("MO-CLI-0091", "this is a bug in mo: {}", unexpected.what())
                    .hint("please report it, with the command line and `mo --version`"));
  }
  return static_cast<int>(code);
}

}  // namespace mo::cli
