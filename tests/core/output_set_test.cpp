#include "core/files/output_set.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/files/file.hpp"
#include "core/files/folder_lock.hpp"
#include "core/files/output_folder.hpp"
#include "core/files/write_behind.hpp"
#include "core/support/budget.hpp"
#include "core/support/processors.hpp"
#include "core/tensor/buffer.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

class OutputFiles : public testing::Test {
 protected:
  OutputFiles() {
    std::string pattern = (fs::temp_directory_path() / "mo_output_XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~OutputFiles() override { fs::remove_all(folder_); }

  void put(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string get(const std::string& name) {
    std::ifstream in(folder_ / name, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return in ? text.str() : "(no file)";
  }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  auto create(const OutputOptions& options = {}) {
    return OutputSet::create(folder_.string(), "set", {"a", "b"}, options);
  }

  static void fill(OutputSet& set, const std::string& text) {
    for (const std::size_t i : {0, 1}) {
      auto file = set.open(i);
      ASSERT_TRUE(file);
      ASSERT_TRUE((*file)->write(std::as_bytes(std::span(text))));
    }
  }
  template <class T>
  static std::string code(const Expected<T>& result) {
    return result ? "" : result.error().first().code;
  }

  std::string refused(const InputFiles& inputs, const std::string& name) {
    return code(OutputSet::create(folder_.string(), "set", {name}, {.inputs = &inputs}));
  }

  fs::path folder_;
};

TEST_F(OutputFiles, AppearTogetherAtTheEnd) {
  put("a", "old");
  put("b", "old");
  auto set = create();
  ASSERT_TRUE(set);
  fill(**set, "new");
  EXPECT_EQ(get("a") + get("b"), "oldold");
  ASSERT_TRUE((*set)->commit());
  EXPECT_EQ(get("a") + get("b"), "newnew");
  set->reset();
  EXPECT_EQ(count(), 2U);
}

TEST_F(OutputFiles, DroppedBeforeTheEndLeaveNoFiles) {
  put("b", "old");
  {
    auto set = create();
    ASSERT_TRUE(set);
    fill(**set, "new");
    EXPECT_EQ(count(), 2U) << "everything unfinished lies in one folder";
  }
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(get("b"), "old");
}

TEST_F(OutputFiles, ADestinationThatBecameADirectoryKeepsTheOldFiles) {
  put("a", "old");
  auto set = create();
  ASSERT_TRUE(set);
  fill(**set, "new");
  fs::create_directory(folder_ / "b");
  EXPECT_EQ(code((*set)->commit()), "MO-EMIT-0002");
  EXPECT_EQ(get("a"), "old");
}

TEST_F(OutputFiles, AFailingStepRestoresTheOldFiles) {
  for (const bool there_before : {true, false}) {
    if (there_before) {
      put("a", "old");
      put("b", "old");
    }
    {
      auto set = create();
      ASSERT_TRUE(set);
      fill(**set, "new");
      for (const auto& entry : fs::directory_iterator(folder_))
        if (entry.is_directory()) fs::remove(entry.path() / "1.new");  // so that the last renaming fails
      EXPECT_EQ(code((*set)->commit()), "MO-EMIT-0001");
      EXPECT_EQ(get("a") + get("b"), there_before ? "oldold" : "(no file)(no file)");
    }
    EXPECT_EQ(count(), there_before ? 2U : 0U);
    fs::remove(folder_ / "a");
    fs::remove(folder_ / "b");
  }
}

TEST_F(OutputFiles, FilesOpenedForReadingAreNeverReplaced) {
  put("a", "the model");
  fs::create_hard_link(folder_ / "a", folder_ / "b");
  InputFiles inputs;
  {
    const InputFiles::Recording recording(inputs);
    // Another thread is another conversion.
    std::thread([&] { EXPECT_TRUE(File::open((folder_ / "a").string())); }).join();
    EXPECT_EQ(refused(inputs, "a"), "");
    EXPECT_TRUE(File::open((folder_ / "a").string()));
  }
  EXPECT_EQ(refused(inputs, "b"), "MO-EMIT-0003");
  EXPECT_EQ(code(create({.inputs = &inputs})), "MO-EMIT-0003");
  EXPECT_EQ(count(), 2U);
}

TEST_F(OutputFiles, AFileThatIsReadLaterIsNotReplacedEither) {
  put("b", "read while the others are written");
  InputFiles inputs;
  auto set = create({.inputs = &inputs});
  ASSERT_TRUE(set);
  fill(**set, "new");
  inputs.add_path((folder_ / "b").string());
  EXPECT_EQ(code((*set)->commit()), "MO-EMIT-0003");
}

TEST_F(OutputFiles, RecordingsNest) {
  put("a", "");
  put("b", "");
  InputFiles outer_files, inner_files;
  const InputFiles::Recording outer(outer_files);
  {
    const InputFiles::Recording inner(inner_files);
    ASSERT_TRUE(File::open((folder_ / "a").string()));
  }
  ASSERT_TRUE(File::open((folder_ / "b").string()));
  EXPECT_EQ(refused(outer_files, "a"), "MO-EMIT-0003");
  EXPECT_EQ(refused(inner_files, "a"), "MO-EMIT-0003");
  EXPECT_EQ(refused(inner_files, "b"), "");
}

TEST_F(OutputFiles, OfAKilledProcessAreRemovedByTheNextOneOfThatName) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto set = create();
    fill(**set, "unfinished");
    ::_exit(0);  // no destructor runs
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ASSERT_EQ(count(), 1U);
  fs::create_directory(folder_ / "set.tmp-1-2x");   // not ours
  fs::create_directory(folder_ / "other.tmp-1-2");  // of another name
  auto living = create();
  ASSERT_TRUE(living);
  EXPECT_EQ(count(), 3U);
  auto second = create();
  ASSERT_TRUE(second);
  EXPECT_EQ(count(), 4U) << "the folder of a living set is not removed";
  fill(**living, "new");
  EXPECT_TRUE((*living)->commit());
}

TEST_F(OutputFiles, OfManyThreadsDoNotMix) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([this, t] {
      for (int i = 0; i < 20; ++i) {
        auto set = create();
        ASSERT_TRUE(set);
        fill(**set, std::to_string(t) + "/" + std::to_string(i));
        ASSERT_TRUE((*set)->commit());
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(get("a"), get("b"));
  EXPECT_EQ(count(), 2U);
}

TEST_F(OutputFiles, WaitForTheLockOfTheFolder) {
  auto set = create();
  ASSERT_TRUE(set);
  fill(**set, "new");
  const int other = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(get("a"), "(no file)");
    ::close(other);
  });
  EXPECT_TRUE((*set)->commit());
  release.join();
  EXPECT_EQ(get("a"), "new");
}

TEST_F(OutputFiles, LockTimesOut) {
  const auto held = FolderLock::acquire(folder_.string());
  ASSERT_TRUE(held);
  EXPECT_TRUE(held->held());
  EXPECT_EQ(code(FolderLock::acquire(folder_.string(), std::chrono::milliseconds(5))), "MO-EMIT-0014");
  const auto none = FolderLock::acquire((folder_ / "absent").string());
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->held());
}

TEST_F(OutputFiles, HashIsThatOfTheBytes) {
  const std::string text(300000, 'w');
  put("source", text);
  const FilePtr source = *File::open((folder_ / "source").string());
  auto set = OutputSet::create(folder_.string(), "set", {"copy"});
  ASSERT_TRUE(set);
  OutputFile* file = *(*set)->open(0);
  file->keep_hash();
  ASSERT_TRUE(file->write({}));
  EXPECT_EQ(hash_text(*file->hash()), "ef46db3751d8e999");  // XXH64 of nothing
  ASSERT_TRUE(file->copy(*source, 0, 10));
  ASSERT_TRUE(file->copy(*source, 10, text.size() - 10));
  EXPECT_EQ(*file->hash(), *content_hash(*source, source->size()));
  EXPECT_NE(*file->hash(), *content_hash(*source, source->size() - 1));
  ASSERT_TRUE((*set)->commit());
  EXPECT_EQ(get("copy"), text);
}

/// Bytes of a pattern without short periods.
std::string patterned(std::size_t size) {
  std::string text(size, 0);
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>((i * 2654435761U) >> 24);
  return text;
}

TEST_F(OutputFiles, ALargeFileIsTheSameWithoutAHash) {
  const std::string text = patterned(WriteBehind::kWorthThread + 12345);
  put("source", text);
  const FilePtr source = *File::open((folder_ / "source").string());
  auto set = OutputSet::create(folder_.string(), "set", {"copy"});
  ASSERT_TRUE(set);
  OutputFile* file = *(*set)->open(0);
  ASSERT_TRUE(file->write(std::as_bytes(std::span(text.data(), 3))));
  ASSERT_TRUE(file->copy(*source, 3, text.size() - 3));
  ASSERT_TRUE((*set)->commit());
  EXPECT_EQ(get("copy"), text);
}

TEST_F(OutputFiles, HashOfALargeFileIsThatOfItsBytes) {
  const std::string text = patterned(3 * WriteBehind::kWorthThread);
  put("source", text);
  const FilePtr source = *File::open((folder_ / "source").string());
  auto set = OutputSet::create(folder_.string(), "set", {"copy"});
  ASSERT_TRUE(set);
  OutputFile* file = *(*set)->open(0);
  file->keep_hash();
  std::size_t at = 0;
  const auto copy = [&](std::size_t bytes) {
    ASSERT_TRUE(file->copy(*source, at, bytes));
    at += bytes;
  };
  copy(WriteBehind::kWorthThread + 1);
  {
    const std::string part = text.substr(at, std::size_t{3} << 20);
    ASSERT_TRUE(file->write(std::as_bytes(std::span(part))));
    at += part.size();
  }  // the writer may free it at once
  copy(100);
  copy(70'000);
  copy(source->size() - at);
  EXPECT_EQ(*file->hash(), *content_hash(*source, source->size()));
  ASSERT_TRUE((*set)->commit());
  EXPECT_EQ(get("copy"), text);
}

/// Writes `bytes` to a new file in pieces of different sizes; whether they are in the file, and whether a second thread
/// helped.
std::pair<bool, bool> write_behind(const fs::path& path, std::span<const std::byte> bytes) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  std::pair<bool, bool> result;
  {
    WriteBehind behind(descriptor);
    for (std::size_t at = 0, step = 1; at < bytes.size(); at += step, step = step * 3 % 1'000'003) {
      step = std::min(step, bytes.size() - at);
      behind.make_room();
      behind.post({bytes.subspan(at, step), nullptr});
    }
    behind.wait();
    EXPECT_FALSE(behind.failure());
    result.second = behind.is_concurrent();
  }
  ::close(descriptor);
  std::ifstream in(path, std::ios::binary);
  const std::string written((std::istreambuf_iterator<char>(in)), {});
  result.first = std::ranges::equal(std::as_bytes(std::span(written)), bytes);
  return result;
}

TEST_F(OutputFiles, AreTheSameWithOneThread) {
  const std::string text = patterned(2 * WriteBehind::kWorthThread);
  const auto bytes = std::as_bytes(std::span(text));
  const fs::path path = folder_ / "written";
  EXPECT_EQ(write_behind(path, bytes), std::pair(true, usable_processors() > 1));
  EXPECT_EQ(write_behind(path, bytes.first(WriteBehind::kWorthThread)), std::pair(true, false)) << "too little";

  // A thread whose stack finds no room in memory.
  pthread_attr_t usual;
  pthread_attr_t huge;
  ASSERT_EQ(::pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(::pthread_getattr_default_np(&huge), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&huge, std::size_t{1} << 50), 0);
  ASSERT_EQ(::pthread_setattr_default_np(&huge), 0);
  EXPECT_EQ(write_behind(path, bytes), std::pair(true, false));
  ASSERT_EQ(::pthread_setattr_default_np(&usual), 0);

  // A process that has one processor.
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(write_behind(path, bytes), std::pair(true, false));
  }).join();
}

TEST_F(OutputFiles, AnOwnerIsLetGoWhenItsBytesAreWritten) {
  auto set = OutputSet::create(folder_.string(), "set", {"file"});
  ASSERT_TRUE(set);
  OutputFile* file = *(*set)->open(0);
  std::string expected;
  std::vector<std::weak_ptr<const void>> owners;
  for (int i = 0; i < 40; ++i) {
    const auto text = std::make_shared<const std::string>(patterned(200'000 + static_cast<std::size_t>(i)));
    expected += *text + "x";
    owners.emplace_back(text);
    ASSERT_TRUE(file->write(std::as_bytes(std::span(*text)), text));
    ASSERT_TRUE(file->write(std::as_bytes(std::span("x", 1))));
  }
  const auto kept = std::ranges::count_if(owners, [](const auto& owner) { return !owner.expired(); });
  EXPECT_LE(kept, static_cast<std::ptrdiff_t>(WriteBehind::kSlots));
  ASSERT_TRUE((*set)->commit());
  EXPECT_EQ(get("file"), expected);
}

/// Writes a file of stretches some of which are made later; `fails`: what the one at that place gives.
Expected<void> write_later(OutputFile& file, std::string_view text, std::size_t fails, const MakeStretch& failure) {
  std::size_t place = 0;
  for (std::size_t at = 0, step = 300'000; at < text.size(); at += step, ++place) {
    step = std::min<std::size_t>(step + place * 1000, text.size() - at);
    const std::string_view part = text.substr(at, step);
    if (place % 3 == 2) {
      MO_TRY(file.write(std::as_bytes(std::span(part))));
      continue;
    }
    MO_TRY(file.write_later(
        step, place == fails ? failure : [part]() -> Expected<Stretch> {
          const auto made = std::make_shared<const std::string>(part);
          return Stretch{std::as_bytes(std::span(*made)), made};
        }));
  }
  return file.close();
}

constexpr std::size_t kNone = 1000;

TEST_F(OutputFiles, WhatIsMadeLaterComesInItsOrder) {
  const std::string text = patterned(5 * WriteBehind::kWorthThread);
  put("source", text);
  for (const bool hashed : {true, false}) {
    auto set = OutputSet::create(folder_.string(), "set", {"file"});
    ASSERT_TRUE(set);
    OutputFile* file = *(*set)->open(0);
    if (hashed) file->keep_hash();
    ASSERT_TRUE(write_later(*file, text, kNone, nullptr));
    ASSERT_TRUE((*set)->commit());
    EXPECT_EQ(get("file"), text);
  }
}

TEST_F(OutputFiles, AnErrorOfMakingIsToldByClosingAtTheLatest) {
  const std::string text = patterned(5 * WriteBehind::kWorthThread);
  const auto fails = []() -> Expected<Stretch> { return error("MO-IO-0003", "gone"); };
  const auto throws = []() -> Expected<Stretch> { throw std::bad_alloc(); };
  for (const std::size_t place : {0U, 1U, 18U, 31U}) {
    auto set = OutputSet::create(folder_.string(), "set", {"file"});
    ASSERT_TRUE(set);
    EXPECT_EQ(code(write_later(**(*set)->open(0), text, place, fails)), "MO-IO-0003") << place;
    EXPECT_THROW(static_cast<void>(write_later(**OutputSet::in_memory({"file"})->open(0), text, place, throws)),
                 std::bad_alloc)
        << place;
  }
}

TEST_F(OutputFiles, WhatIsMadeLaterIsOnTheAccountOfTheCaller) {
  const std::string text = patterned(5 * WriteBehind::kWorthThread);
  const std::size_t size = std::size_t{1} << 20;
  Budget budget;
  const BudgetScope scope(budget);
  const std::unique_ptr<OutputSet> set = OutputSet::in_memory({"file"});
  OutputFile* file = *set->open(0);
  for (int i = 0; i < 40; ++i)
    ASSERT_TRUE(file->write_later(size, [size]() -> Expected<Stretch> {
      MO_ASSIGN(std::shared_ptr<HeapBuffer> made, HeapBuffer::allocate(size, HeapBuffer::Content::zeros));
      return Stretch{{made->bytes(), size}, made};
    }));
  ASSERT_TRUE(file->written());
  EXPECT_LE(budget.peak_bytes(), WriteBehind::kSlots * size);
  EXPECT_EQ(usable_processors() > 1, budget.peak_bytes() > 0);
  // All of it was given back: the same amount again makes no new peak.
  const std::uint64_t peak = budget.peak_bytes();
  budget.hold(static_cast<std::int64_t>(peak));
  EXPECT_EQ(budget.peak_bytes(), peak);
}

TEST_F(OutputFiles, AFullDiskIsToldByClosingAtTheLatest) {
  const int full = ::open("/dev/full", O_RDWR | O_CLOEXEC);
  if (full < 0) GTEST_SKIP() << "there is no /dev/full";
  WriteBehind behind(full);
  const std::vector<std::byte> bytes(WriteBehind::kWorthThread + 1, std::byte{7});
  for (int i = 0; i < 3; ++i) {
    behind.make_room();
    behind.post({bytes, nullptr});
  }
  behind.wait();
  EXPECT_EQ(behind.failure().number, ENOSPC);
  ::close(full);
}

TEST_F(OutputFiles, AMissingFolderIsCreatedAndStaysOnlyAfterACommit) {
  const fs::path deep = folder_ / "x" / "y";
  {
    const auto set = OutputSet::create(deep.string(), "m", {"m.xml"});
    ASSERT_TRUE(set);
    const auto file = (*set)->open(0);
    ASSERT_TRUE(file);
    ASSERT_TRUE((*set)->commit());
  }
  EXPECT_TRUE(fs::exists(deep / "m.xml"));
  {
    const fs::path other = folder_ / "u" / "v";
    const auto set = OutputSet::create(other.string(), "m", {"m.xml"});
    ASSERT_TRUE(set);
    ASSERT_TRUE((*set)->open(0));
  }
  EXPECT_FALSE(fs::exists(folder_ / "u"));
}

TEST_F(OutputFiles, CreatedFoldersAreRemovedIfTheFilesAreNotWritten) {
  const fs::path deep = folder_ / "x" / "y" / "z";
  { ASSERT_TRUE(OutputFolder::create(deep.string())); }
  EXPECT_EQ(count(), 0U);
  {
    const auto folder = OutputFolder::create(deep.string());
    ASSERT_TRUE(folder);
    put("x/y/somebody's", "");
  }
  EXPECT_FALSE(fs::exists(deep));
  EXPECT_TRUE(fs::exists(folder_ / "x" / "y" / "somebody's"));
  {
    const auto folder = OutputFolder::create(deep.string());
    ASSERT_TRUE(folder);
    EXPECT_TRUE((*folder)->keep(/*durable=*/true));
  }
  EXPECT_TRUE(fs::is_directory(deep));
  put("file", "");
  EXPECT_EQ(code(OutputFolder::create((folder_ / "file" / "x").string())), "MO-DRIVER-0002");
}

}  // namespace
}  // namespace mo
