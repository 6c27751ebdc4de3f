#include "frontends/tensorflow/checkpoint/files.hpp"

#include <sys/stat.h>

#include "tests/frontends/tensorflow/checkpoint_folder.hpp"

namespace mo::tensorflow::testing {
namespace {

TEST(CheckpointFiles, every_file_of_a_checkpoint_names_it) {
  Folder folder;
  small_bundle().write(folder / "model.ckpt-5");
  for (const char* name : {"model.ckpt-5", "model.ckpt-5.index", "model.ckpt-5.data-00000-of-00001"})
    EXPECT_EQ(read_all(folder / name), "") << name;
  fs::create_directory(folder / "model.ckpt-5");
  EXPECT_EQ(read_all(folder / "model.ckpt-5"), "") << "a folder of the same name";
}

TEST(CheckpointFiles, a_missing_checkpoint_is_an_error_with_a_hint) {
  Folder folder;
  small_bundle().write(folder / "model.ckpt-5");
  const Opened opened = open_checkpoint(folder / "model.ckpt-4");
  ASSERT_EQ(opened.code(), "MO-TF-0400");
  EXPECT_NE(opened.checkpoint.error().first().hint_text.find("model.ckpt-5"), std::string::npos);
  EXPECT_EQ(open_checkpoint(folder / "missing" / "m").code(), "MO-TF-0400");
  EXPECT_EQ(open_checkpoint(folder.path()).code(), "MO-TF-0400");
  EXPECT_EQ(open_checkpoint("").code(), "MO-TF-0400");
}

TEST(CheckpointFiles, a_state_file_names_the_checkpoint_beside_it) {
  Folder folder;
  small_bundle().write(folder / "model.ckpt-5");
  const fs::path state = folder / "checkpoint";
  const auto code = [&](const std::string& text, std::size_t warnings = 0) {
    write_file(state, text);
    const Opened by_file = open_checkpoint(state);
    const Opened by_folder = open_checkpoint(folder.path());
    EXPECT_EQ(by_file.code(), by_folder.code());
    EXPECT_EQ(by_file.warnings.size(), warnings);
    for (const Diagnostic& warning : by_file.warnings) EXPECT_EQ(warning.code, "MO-TF-0424");
    return by_file.code();
  };
  EXPECT_EQ(code("model_checkpoint_path: \"model.ckpt-5\"\nall_model_checkpoint_paths: \"model.ckpt-4\"\n"), "");
  EXPECT_EQ(code("  model_checkpoint_path :  'model\\056ckpt-5'"), "");
  EXPECT_EQ(code("model_checkpoint_path: \"" + (folder / "model.ckpt-5").string() + "\"\n"), "");
  EXPECT_EQ(code("model_checkpoint_path: \"/home/somebody/model.ckpt-5\"\n", 1), "");
  EXPECT_EQ(code("model_checkpoint_path: \"../elsewhere/model.ckpt-5\"\n", 1), "");
  EXPECT_EQ(code("model_checkpoint_path: \"model.ckpt-6\"\n"), "MO-TF-0400");
  EXPECT_EQ(code("all_model_checkpoint_paths: \"model.ckpt-5\"\n"), "MO-TF-0402");
  EXPECT_EQ(code("model_checkpoint_path: \"..\"\n"), "MO-TF-0402");
  EXPECT_EQ(code("model_checkpoint_path: \"/some/folder/\"\n"), "MO-TF-0402");
  EXPECT_EQ(code("model_checkpoint_path: \"a\\000b\"\n"), "MO-TF-0402");
  EXPECT_EQ(code("model_checkpoint_path: \"model.ckpt-5"), "MO-TF-0402");
  EXPECT_EQ(code("model_checkpoint_path: \"checkpoint\""), "MO-TF-0403") << "itself";
  EXPECT_EQ(code(std::string(2 << 20, ' ')), "MO-TF-0402");
}

TEST(CheckpointFiles, links_are_refused) {
  Folder folder;
  small_bundle().write(folder / "real");
  small_bundle().write(folder / "m");
  fs::remove(folder / "m.data-00000-of-00001");
  fs::create_symlink("real.data-00000-of-00001", folder / "m.data-00000-of-00001");
  EXPECT_EQ(read_all(folder / "m"), "MO-TF-0401");
  fs::remove(folder / "m.data-00000-of-00001");
  fs::create_hard_link(folder / "real.data-00000-of-00001", folder / "m.data-00000-of-00001");
  EXPECT_EQ(read_all(folder / "m"), "MO-TF-0401");
  fs::create_symlink("real.index", folder / "n.index");
  EXPECT_EQ(read_all(folder / "n"), "MO-TF-0401");
}

TEST(CheckpointFiles, links_are_followed_where_the_user_allows_them) {
  Folder folder;
  fs::create_directory(folder / "blobs");
  fs::create_directory(folder / "snapshot");
  small_bundle().write(folder / "blobs" / "m");
  for (const char* ending : {"m.index", "m.data-00000-of-00001"})
    fs::create_symlink(fs::path("../blobs") / ending, folder / "snapshot" / ending);
  EXPECT_EQ(read_all(folder / "snapshot" / "m"), "MO-TF-0401");
  EXPECT_EQ(read_all(folder / "snapshot" / "m", Links::followed), "");
  fs::create_hard_link(folder / "blobs" / "m.data-00000-of-00001", folder / "blobs" / "second");
  EXPECT_EQ(read_all(folder / "snapshot" / "m", Links::followed), "");
}

TEST(CheckpointFiles, paths_that_are_not_files_are_refused_without_waiting) {
  Folder folder;
  small_bundle().write(folder / "m");
  fs::remove(folder / "m.data-00000-of-00001");
  ASSERT_EQ(::mkfifo((folder / "m.data-00000-of-00001").c_str(), 0600), 0);
  EXPECT_EQ(read_all(folder / "m"), "MO-IO-0002");
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(read_all(folder / "fifo"), "MO-IO-0002");
  ASSERT_EQ(::mkfifo((folder / "n.index").c_str(), 0600), 0);
  EXPECT_EQ(read_all(folder / "n"), "MO-IO-0002");
  fs::create_directory(folder / "d.index");
  EXPECT_EQ(read_all(folder / "d"), "MO-IO-0002");
}

}  // namespace
}  // namespace mo::tensorflow::testing
