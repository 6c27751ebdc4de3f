// Converts models over and over in one process, valid and damaged ones mixed, in several threads: memory and
// descriptors must not grow, and each conversion must give what it gives alone.
//
//   mo_soak [COUNT [THREADS [MODEL…]]]      default: 300 conversions in 4 threads, of the models of this file only
//
// A MODEL (.onnx, .onnxtxt, .pb, .pbtxt, .prototxt) is converted as well, and so are damaged copies of it.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <random>
#include <thread>

#include "core/support/log.hpp"
#include "driver/convert.hpp"
#include "fuzz/harness/scratch.hpp"
#include "fuzz/harness/structured_mutator.hpp"

namespace {

namespace fs = std::filesystem;
using mo::fuzz::Scratch;

constexpr unsigned kDamagedCopies = 2;
constexpr std::size_t kMayGrow = std::size_t{16} << 20;  ///< what threads keep of freed memory varies

constexpr std::string_view kOnnx = R"(
ir_version: 8 opset_import { version: 13 } graph { name: "g"
  node { op_type: "Conv" name: "conv" input: "x" input: "w" output: "c" attribute { name: "kernel_shape" type: INTS ints: 3 ints: 3 } }
  node { op_type: "Mul" name: "mul" input: "c" input: "s" output: "m" }
  node { op_type: "Relu" name: "relu" input: "m" output: "r" }
  node { op_type: "GlobalAveragePool" name: "pool" input: "r" output: "p" }
  node { op_type: "Reshape" name: "reshape" input: "p" input: "shape" output: "y" }
  initializer { name: "w" data_type: 1 dims: 2 dims: 1 dims: 3 dims: 3 float_data: [1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] }
  initializer { name: "s" data_type: 1 dims: 2 dims: 1 dims: 1 float_data: [0.5, 2] }
  initializer { name: "shape" data_type: 7 dims: 2 int64_data: [0, -1] }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 1 } dim { dim_value: 8 } dim { dim_value: 8 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 } } } })";

constexpr std::string_view kTensorFlow = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 1 } dim { size: 4 } dim { size: 4 } dim { size: 2 } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT
       tensor_shape { dim { size: 1 } dim { size: 1 } dim { size: 2 } dim { size: 3 } } float_val: [1, 2, 3, 4, 5, 6] } } } }
node { name: "conv" op: "Conv2D" input: "x" input: "w" attr { key: "T" value { type: DT_FLOAT } }
       attr { key: "strides" value { list { i: [1, 1, 1, 1] } } } attr { key: "padding" value { s: "SAME" } } }
node { name: "y" op: "Relu6" input: "conv" attr { key: "T" value { type: DT_FLOAT } } })";

constexpr std::string_view kCaffe = R"(
layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 1 dim: 2 dim: 6 dim: 6 } } }
layer { name: "conv" type: "Convolution" bottom: "x" top: "conv" convolution_param { num_output: 3 kernel_size: 3 } }
layer { name: "pool" type: "Pooling" bottom: "conv" top: "pool" pooling_param { kernel_size: 2 stride: 2 } }
layer { name: "y" type: "Softmax" bottom: "pool" top: "y" })";

/// A conversion, and what came of it when it ran alone.
struct Job {
  mo::Options options;
  std::string result;
};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

mo::Options options_for(const std::string& path) {
  mo::Options options;
  const std::string extension = fs::path(path).extension();
  options.framework = extension.starts_with(".onnx") ? "onnx" : extension == ".prototxt" ? "caffe" : "tf";
  (options.framework == "caffe" ? options.caffe.input_proto : options.input_model) = path;
  options.caffe.disable_weights = options.framework == "caffe";
  options.tensorflow.input_model_is_text = extension == ".pbtxt";
  options.model_name = "model";
  return options;
}

/// The same bytes on every machine: what libFuzzer would do with a file, without libFuzzer.
std::size_t flip_some_bits(std::uint8_t* data, std::size_t size, std::size_t /*most*/) {
  for (std::size_t i = 0; i < size; i += 1 + size / 3) data[i] ^= static_cast<std::uint8_t>(1U << (size + i) % 8);
  return size;
}

void add_jobs(std::vector<Job>& jobs, const std::string& name, const std::string& content) {
  const Scratch& scratch = Scratch::instance();
  jobs.push_back({options_for(scratch.write(fmt::format("{}_{}", jobs.size(), name), content)), {}});
  for (unsigned seed = 1; seed <= kDamagedCopies; ++seed)
    jobs.push_back({options_for(scratch.write(fmt::format("{}_{}", jobs.size(), name),
                                              mo::fuzz::mutated(content, 2 * content.size(), seed, flip_some_bits))),
                    {}});
}

/// The bytes of the IR, or the text of the error.
std::string run(const Job& job, const std::string& folder) {
  mo::Options options = job.options;
  options.output_dir = folder;
  mo::DiagnosticList notes;
  const auto report = mo::convert(options, notes);
  if (!report) return report.error().first().format();
  std::string result = read(report->xml_path) + read(report->bin_path);
  fs::remove(report->xml_path);
  fs::remove(report->bin_path);
  return result;
}

std::size_t resident_bytes() {
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

/// Runs jobs `first` … `last` of the endless list in which they take turns; how many gave another result than alone.
std::size_t run_all(const std::vector<Job>& jobs, std::size_t first, std::size_t last, std::size_t thread_count) {
  std::atomic<std::size_t> next{first};
  std::atomic<std::size_t> different{0};
  std::mutex printing;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < thread_count; ++t)
    threads.emplace_back([&, t] {
      const std::string folder = Scratch::instance().empty_folder(fmt::format("out_{}", t));
      for (std::size_t i = next++; i < last; i = next++) {
        const Job& job = jobs[i % jobs.size()];
        const std::string result = run(job, folder);
        if (result == job.result) continue;
        ++different;
        const std::lock_guard lock(printing);
        fmt::print("{} {} gave another result than alone:\n{}\n", job.options.input_model,
                   job.options.caffe.input_proto, result.substr(0, 2000));
      }
    });
  for (std::thread& thread : threads) thread.join();
  return different;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300;
  const std::size_t threads = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 4;
  mo::log::set_level("CRITICAL");
  std::vector<Job> jobs;
  add_jobs(jobs, "m.onnxtxt", std::string(kOnnx));
  add_jobs(jobs, "m.pbtxt", std::string(kTensorFlow));
  add_jobs(jobs, "m.prototxt", std::string(kCaffe));
  for (int i = 3; i < argc; ++i) add_jobs(jobs, fs::path(argv[i]).filename().string(), read(argv[i]));
  const std::string alone = Scratch::instance().empty_folder("alone");
  std::size_t valid = 0;
  for (Job& job : jobs) {
    job.result = run(job, alone);
    valid += job.result.starts_with("<?xml") ? 1 : 0;
  }
  fmt::print("{} models, {} of them valid; {} conversions in {} threads\n", jobs.size(), valid, count, threads);

  // What is made once (tables, caches of the allocator) is there after a fifth of the way.
  std::size_t different = run_all(jobs, 0, count / 5, threads);
  const std::size_t memory = resident_bytes();
  const std::size_t descriptors = open_descriptors();
  different += run_all(jobs, count / 5, count, threads);
  const std::size_t memory_after = resident_bytes();
  const std::size_t descriptors_after = open_descriptors();
  fmt::print(
      "resident: {:.1f} MB after {} conversions, {:.1f} MB after {}; descriptors: {}, {}; other results than alone: "
      "{}\n",
      static_cast<double>(memory) / 1e6, count / 5, static_cast<double>(memory_after) / 1e6, count, descriptors,
      descriptors_after, different);
  // AddressSanitizer keeps freed memory aside.
  const std::size_t kept_aside = std::getenv("MO_SANITIZED") != nullptr ? std::size_t{256} << 20 : 0;
  const bool flat = memory_after <= memory + kMayGrow + kept_aside && descriptors_after == descriptors;
  if (!flat) fmt::print("memory or descriptors grew\n");
  return flat && different == 0 && valid > 0 && valid < jobs.size() ? 0 : 1;
}
