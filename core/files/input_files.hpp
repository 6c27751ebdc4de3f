#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics/expected.hpp"

namespace mo {

class File;

/// The files that a piece of work (a conversion, a run) reads: none of them may become an output of it, under whatever
/// name. A file is known by its identity on disk (device, inode), so that links and hard links do not hide it.
class InputFiles {
 public:
  void add(const File& file);
  /// Adds what lies at `path`, if anything: an input that the user named, whether it is opened or not.
  void add_path(const std::string& path);
  /// Error MO-EMIT-0003 when the file at `path`, of this device and inode, is one of these.
  Expected<void> check_output(const std::string& path, std::uint64_t device, std::uint64_t inode) const;

  /// Where these files are: the path by which each was opened first, sorted.
  std::vector<std::string> paths() const;

  /// As long as it lives, whatever this thread opens through File::open or File::adopt is added to `files`: by readers,
  /// configurations and plugins alike. A scope of the thread and not of the process: conversions in other threads have
  /// their own. Recordings nest.
  class Recording {
   public:
    explicit Recording(InputFiles& files);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

   private:
    friend class InputFiles;
    InputFiles& files_;
    Recording* outer_;
  };

 private:
  friend class File;
  /// Called for every file that is opened for reading.
  static void record(const File& file);

  using Identity = std::pair<std::uint64_t, std::uint64_t>;  ///< device, inode
  /// path by which it was opened first, for the message
  std::map<Identity, std::string> files_;
};

}  // namespace mo
