#include "core/files/output_set.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "core/files/folder_lock.hpp"
#include "core/files/output_folder.hpp"
#include "core/files/temporaries.hpp"

namespace mo {
namespace {

constexpr int kNameAttempts = 100;
/// A folder with more entries is not searched to its end for what killed processes left: that would cost more than a
/// conversion.
constexpr int kMostEntries = 100000;

/// Calls fn(name) for the entries of a folder, up to kMostEntries of them.
template <class Fn>
void for_each_entry(const std::string& folder, Fn&& fn) {
  DIR* const listing = ::opendir(folder.c_str());
  if (!listing) return;
  int seen = 0;
  while (const dirent* entry = ::readdir(listing)) {
    if (++seen > kMostEntries) break;
    fn(std::string_view(entry->d_name));
  }
  ::closedir(listing);
}

/// Whether `name` is `prefix` and two numbers: "model.tmp-4711-1". No other folder may be taken for one of ours.
bool is_own_name(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  const std::size_t dash = name.find('-');
  return dash != 0 && dash != std::string_view::npos && dash + 1 < name.size() &&
         name.find('-', dash + 1) == std::string_view::npos &&
         name.find_first_not_of("0123456789-") == std::string_view::npos;
}

void remove_with_files(const std::string& folder) {
  for_each_entry(folder, [&](std::string_view name) {
    ::unlink((std::filesystem::path(folder) / name).c_str());
  });  // fails for "." and ".."
  ::rmdir(folder.c_str());
}

/// Removes what killed processes left. Only under the lock of the folder: between making its folder and locking it, a
/// set looks dead.
void remove_dead(const std::string& folder, const std::string& prefix) {
  std::vector<std::string> candidates;
  for_each_entry(folder, [&](std::string_view name) {
    if (is_own_name(name, prefix)) candidates.emplace_back(name);
  });
  for (const std::string& name : candidates) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) continue;
    if (try_lock(descriptor)) remove_with_files(path);
    ::close(descriptor);
  }
}

std::string folder_or_current(const std::string& folder) { return folder.empty() ? "." : folder; }

}  // namespace

Expected<std::unique_ptr<OutputSet>> OutputSet::create(const std::string& folder, const std::string& name,
                                                       const std::vector<std::string>& files,
                                                       const OutputOptions& options) {
  std::unique_ptr<OutputSet> set(new OutputSet);
  set->folder_ = folder;
  set->options_ = options;
  MO_ASSIGN(set->made_, OutputFolder::create(folder));
  for (const std::string& file : files) {
    set->entries_.push_back({.path = (std::filesystem::path(folder) / file).string()});
    MO_TRY(set->check_destination(set->entries_.back()));
  }
  MO_ASSIGN(const FolderLock lock, FolderLock::acquire(folder_or_current(folder)));
  const std::string prefix = name + ".tmp-";
  if (lock.held()) remove_dead(folder_or_current(folder), prefix);
  MO_TRY(set->make_folder((std::filesystem::path(folder) / prefix).string()));
  return set;
}

std::unique_ptr<OutputSet> OutputSet::in_memory(const std::vector<std::string>& files) {
  std::unique_ptr<OutputSet> set(new OutputSet);
  set->in_memory_ = true;
  for (const std::string& file : files) set->entries_.push_back({.path = file});
  return set;
}

Expected<void> OutputSet::check_destination(const Entry& entry) const {
  struct stat info {};
  if (::stat(entry.path.c_str(), &info) != 0)
    return errno == ENOENT ? Expected<void>() : cannot_write(entry.path, errno);
  if (!S_ISREG(info.st_mode))
    return error("MO-EMIT-0002", "\"{}\" exists and is {}", entry.path,
                 S_ISDIR(info.st_mode) ? "a directory" : "not a regular file")
        .hint("remove it, or choose another --model_name or --output_dir");
  return options_.inputs ? options_.inputs->check_output(entry.path, info.st_dev, info.st_ino) : Expected<void>();
}

Expected<void> OutputSet::make_folder(const std::string& stem) {
  static std::atomic<unsigned> number{0};
  int reason = EEXIST;
  for (int attempt = 0; attempt < kNameAttempts && reason == EEXIST; ++attempt) {
    std::string path = fmt::format("{}{}-{}", stem, ::getpid(), ++number);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      entries_[i].temporary = fmt::format("{}/{}.new", path, i);
      entries_[i].old = fmt::format("{}/{}.old", path, i);
    }
    // In the list first: a signal right after the folder came into being must find it.
    slot_ = list_for_removal(path, OnSignal::remove_with_files);
    if (::mkdir(path.c_str(), 0777) == 0) {
      own_folder_ = std::move(path);
      own_descriptor_ = ::open(own_folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
      if (own_descriptor_ >= 0) try_lock(own_descriptor_);
      return {};
    }
    reason = errno;
    unlist(std::exchange(slot_, -1));
  }
  return cannot_write(entries_.empty() ? folder_or_current(folder_) : entries_.back().path, reason);
}

OutputSet::~OutputSet() {
  if (is_replacing_) restore();  // memory ran out in between
  if (!own_folder_.empty()) {
    for (Entry& entry : entries_) {
      entry.file.reset();
      ::unlink(entry.temporary.c_str());
      if (!keeps_old_) ::unlink(entry.old.c_str());
    }
    ::rmdir(own_folder_.c_str());
  }
  unlist(slot_);
  if (own_descriptor_ >= 0) ::close(own_descriptor_);
}

Expected<OutputFile*> OutputSet::open(std::size_t index) {
  MO_ASSERT(index < entries_.size() && !entries_[index].file,
            "an output file is opened twice, or its index is out of range");
  if (in_memory_) {
    MO_ASSIGN(entries_[index].file, OutputFile::create_in_memory(entries_[index].path));
    return entries_[index].file.get();
  }
  MO_ASSIGN(entries_[index].file,
            OutputFile::create(entries_[index].temporary, entries_[index].path, options_.durable));
  return entries_[index].file.get();
}

Expected<void> OutputSet::commit() {
  for (const Entry& entry : entries_) MO_ASSERT(entry.file, "an output file was never written");
  for (Entry& entry : entries_)
    if (!entry.file->closed()) MO_TRY(entry.file->close());
  if (in_memory_) return {};
  MO_ASSIGN(const FolderLock lock, FolderLock::acquire(folder_or_current(folder_)));
  // Another process may have put something else there meanwhile, or a file was opened for reading since.
  for (const Entry& entry : entries_) MO_TRY(check_destination(entry));
  const SignalsWait wait;
  if (!entries_.empty()) MO_TRY(replace_files());
  return made_->keep(options_.durable);
}

Expected<void> OutputSet::replace_files() {
  const auto fail = [&](const Entry& entry, int reason) {
    restore();
    return with_what_is_lost(cannot_write(entry.path, reason));
  };
  const auto sync = [&]() -> Expected<void> {
    auto done = options_.durable ? sync_folder(folder_) : Expected<void>();
    if (done) return {};
    restore();
    return with_what_is_lost(std::move(done).error().items().front());
  };
  is_replacing_ = true;
  // One file alone is replaced in one step.
  for (std::size_t i = entries_.size() > 1 ? entries_.size() : 0; i-- > 0;) {
    entries_[i].set_aside = ::rename(entries_[i].path.c_str(), entries_[i].old.c_str()) == 0;
    if (!entries_[i].set_aside && errno != ENOENT) return fail(entries_[i], errno);
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i + 1 == entries_.size()) MO_TRY(sync());
    entries_[i].in_place = ::rename(entries_[i].temporary.c_str(), entries_[i].path.c_str()) == 0;
    if (!entries_[i].in_place) return fail(entries_[i], errno);
  }
  MO_TRY(sync());
  is_replacing_ = false;
  return {};
}

void OutputSet::restore() noexcept {
  is_replacing_ = false;
  if (entries_.size() == 1) return;
  // The last file goes first and comes back last, and only when all the others are those that it belongs to.
  if (entries_.back().in_place) ::unlink(entries_.back().path.c_str());
  bool complete = true;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (i + 1 == entries_.size() && !complete) break;
    if (entry.set_aside) {
      entry.set_aside = ::rename(entry.old.c_str(), entry.path.c_str()) != 0;
      complete = complete && !entry.set_aside;
    } else if (entry.in_place) {
      ::unlink(entry.path.c_str());
    }
  }
  for (const Entry& entry : entries_) keeps_old_ = keeps_old_ || entry.set_aside;
  if (keeps_old_) unlist(std::exchange(slot_, -1));
}

Diagnostic OutputSet::with_what_is_lost(Diagnostic problem) const {
  for (const Entry& entry : entries_)
    if (keeps_old_ && entry.set_aside)
      problem.notes.push_back(
          fmt::format("what was \"{}\" could not be brought back and is now \"{}\"", entry.path, entry.old));
  return problem;
}

}  // namespace mo
