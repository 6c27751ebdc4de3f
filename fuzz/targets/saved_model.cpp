// TensorFlow: conversion of a SavedModel. Three files: saved_model.pb, the entries of the checkpoint's index as a
// message (field 1: an entry, whose fields 1 and 2 are key and value), and its data. The table is written around the
// entries, so that mutations are not stopped by its checksums; a first byte 'R' in place of a message gives the bytes
// of the index as they are.
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/parts.hpp"
#include "fuzz/harness/scratch.hpp"
#include "fuzz/harness/targets.hpp"
#include "fuzz/harness/wire_tree.hpp"
#include "tests/frontends/tensorflow/checkpoint_writer.hpp"

namespace mo::fuzz {
namespace {

std::string index_of(std::string_view entries) {
  if (entries.starts_with('R')) return std::string(entries.substr(1));
  tensorflow::testing::TableWriter table;
  for (const WireTree& entry : decode(entries).value_or(std::vector<WireTree>())) {
    std::string key, value;
    for (const WireTree& field : entry.children) (field.number == 1 ? key : value) = content_of(field);
    table.add(key, value);
  }
  return table.finish();
}

}  // namespace

void run_saved_model(std::string_view input) {
  const Scratch& scratch = Scratch::instance();
  const std::vector<std::string_view> parts = parts_of(input, 3);
  Options options;
  options.framework = "tf";
  options.tensorflow.saved_model_dir = scratch.path("saved");
  scratch.write("saved/saved_model.pb", parts[0]);
  scratch.write("saved/variables/variables.index", index_of(parts[1]));
  scratch.write("saved/variables/variables.data-00000-of-00001", parts[2]);
  converted(std::move(options));
}

}  // namespace mo::fuzz
