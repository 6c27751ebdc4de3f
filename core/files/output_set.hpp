#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/files/input_files.hpp"
#include "core/files/output_file.hpp"
#include "core/files/output_folder.hpp"

namespace mo {

struct OutputOptions {
  /// What must not be overwritten. May be absent; outlives the set.
  const InputFiles* inputs = nullptr;
  /// When `commit` returns, files and names have reached the disk (fsync), and at no moment would a power failure leave
  /// a mixture.
  bool durable = false;
};

/// Files of one folder that belong together, such as .xml and .bin: they replace those of an earlier run together, or
/// not at all.
///
/// The last file is the one that readers look for first. At every moment the folder holds all the old files, all the
/// new ones, or no last file: `commit` takes the old ones away, last file first, and puts the new ones in place, last
/// file last, while it holds a lock on the folder (`flock`, which no file shows and which ends with the process). When
/// a step fails, the old files come back.
///
/// Until then everything lies in a folder of its own beside them, NAME.tmp-PID-NUMBER, which is locked as long as its
/// owner lives. One without an owner belongs to a process that was killed, and is removed by the next set of the same
/// name. Where the file system has no locks (some network file systems), sets of one name are not kept apart, and
/// nothing is removed.
class OutputSet {
 public:
  /// Makes the folder where it is missing; without a commit it goes again. `name`: what runs that write the same files
  /// have in common. Nothing that exists is touched. Errors: those of OutputFolder, MO-EMIT-0001 (the folder cannot be
  /// written), MO-EMIT-0002 (the place of a file is taken by something else), MO-EMIT-0003 (a file is one of the
  /// inputs), MO-EMIT-0014 (another program holds the lock).
  static Expected<std::unique_ptr<OutputSet>> create(const std::string& folder, const std::string& name,
                                                     const std::vector<std::string>& files,
                                                     const OutputOptions& options = {});
  /// The same interface for files that are to lie in memory: `files` only name them in messages, and `commit` has
  /// nothing to do. Each is OutputFile::memory after it was closed.
  static std::unique_ptr<OutputSet> in_memory(const std::vector<std::string>& files);
  /// Removes everything that was not committed.
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;

  /// Creates the file of this number, once. It belongs to the set. Error MO-EMIT-0001.
  Expected<OutputFile*> open(std::size_t index);
  /// Gives all files their names; each was opened and closed. Errors as of `create`; the old files are in place again
  /// then.
  Expected<void> commit();

 private:
  struct Entry {
    std::string path;       ///< destination
    std::string temporary;  ///< the new file, in the folder of the set
    /// where the old file is set aside. Made beforehand: bringing it back must not need memory
    std::string old;
    std::unique_ptr<OutputFile> file;
    bool set_aside = false;  ///< the old file lies in the folder of the set
    bool in_place = false;   ///< the new file has its name
  };

  OutputSet() = default;
  Expected<void> make_folder(const std::string& stem);
  Expected<void> check_destination(const Entry& entry) const;
  Expected<void> replace_files();
  /// Brings the old files back, as far as the system allows.
  void restore() noexcept;
  /// `problem` and which files could not be brought back.
  Diagnostic with_what_is_lost(Diagnostic problem) const;

  std::string folder_;
  std::unique_ptr<OutputFolder> made_;  ///< absent in memory
  OutputOptions options_;
  std::vector<Entry> entries_;
  std::string own_folder_;     ///< empty: not made
  int own_descriptor_ = -1;    ///< holds the lock that shows that we live
  int slot_ = -1;              ///< in the list of what a signal removes
  bool is_replacing_ = false;  ///< between the old files and the new ones
  bool in_memory_ = false;
  bool keeps_old_ = false;  ///< an old file could not be brought back: it must not be removed
};

}  // namespace mo
