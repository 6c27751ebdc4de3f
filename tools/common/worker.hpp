#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "core/diagnostics/expected.hpp"

namespace mo::tools {

/// How long a worker may take for one line.
struct WorkerLimits {
  double processor_seconds = 1800;  ///< of all its threads
  /// by the clock, in which no thread runs or waits for the disk: it will never answer
  double asleep_seconds = 120;
};

/// What a worker said, or how it ended instead.
struct WorkerReply {
  enum class State { line, ended, out_of_time, asleep, too_long };
  State state = State::line;
  std::string line;
  std::string end;         ///< "signal 11, Segmentation fault"; "exit code 1"; of State::ended only
  std::string last_words;  ///< the end of its stderr, in one line; not of State::line
};

/// A program that answers lines on its stdin with lines on its stdout. It can crash, hang and say what it likes: the
/// owner only learns of it. It and the processes of its group end with this object.
class Worker {
 public:
  /// `words`: the program, looked up in PATH, and its arguments. Error `code`: it cannot be started.
  static Expected<std::unique_ptr<Worker>> start(const std::vector<std::string>& words, const WorkerLimits& limits,
                                                 std::string_view code);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Queues a line; it is sent while replies are read, so a worker that does not read never blocks the caller for ever.
  void send(std::string_view line);
  /// Waits for its next line. After any other state the worker has ended. Errors: MO-LIMIT-0004 when the work was
  /// cancelled.
  Expected<WorkerReply> read();
  bool is_running() const { return process_ > 0; }

 private:
  Worker(pid_t process, int channel, int errors, const WorkerLimits& limits);
  WorkerReply over(WorkerReply::State state);
  std::string last_words() const;
  void kill();

  pid_t process_;
  int channel_;  ///< both directions
  int errors_;   ///< a file without a name
  WorkerLimits limits_;
  std::string unsent_;
  std::string unread_;
};

}  // namespace mo::tools
