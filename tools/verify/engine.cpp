#include "tools/verify/engine.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/files/output_set.hpp"
#include "tools/common/environment.hpp"
#include "tools/common/npy.hpp"
#include "tools/common/program_place.hpp"

namespace mo::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct KnownEngine {
  std::string_view name;
  std::string_view title;
  std::string_view package;    ///< of pip
  std::string_view framework;  ///< whose models it computes; empty: it computes IRs; "-": it computes none
  std::string_view newest;     ///< of its versions, where a later one does not do
  bool computes = true;        ///< otherwise it only checks models
};
constexpr KnownEngine kEngines[] = {{"onnx", "ONNX", "onnx", "-", "", false},
                                    {"onnxruntime", "ONNX Runtime", "onnxruntime", "onnx", ""},
                                    {"opencv", "OpenCV", "opencv-python-headless", "caffe", "4"},
                                    {"openvino", "OpenVINO", "openvino", "", ""},
                                    {"tensorflow", "TensorFlow", "tensorflow-cpu", "tf", ""}};
constexpr std::size_t kMostSteps = 16;  // lines before an answer
constexpr std::int64_t kMostAsleep = 120;

const KnownEngine* find_engine(std::string_view name) {
  const auto it = std::find_if(std::begin(kEngines), std::end(kEngines),
                               [&](const KnownEngine& known) { return known.name == name; });
  return it == std::end(kEngines) ? nullptr : it;
}

Expected<WorkerLimits> limits_of_user() {
  WorkerLimits limits;
  MO_ASSIGN(const std::int64_t seconds,
            environment_number({"MO_ENGINE_SECONDS"}, static_cast<std::int64_t>(limits.processor_seconds)));
  limits.processor_seconds = static_cast<double>(std::max<std::int64_t>(seconds, 1));
  limits.asleep_seconds = static_cast<double>(std::clamp<std::int64_t>(seconds, 1, kMostAsleep));
  return limits;
}

/// "2.1.2021.4.2-3974-releases/2021/4" -> "2021.4.2": old releases of OpenVINO count their API in front.
std::string release_in(const std::string& version) {
  std::string release = version.substr(0, version.find_first_of("-+ "));
  if (release.starts_with("2.1.20")) release.erase(0, 4);
  return release;
}

bool begins_with_version(const std::string& version, const std::string& wanted) {
  return version.starts_with(wanted) && (version.size() == wanted.size() || version[wanted.size()] == '.');
}

std::string how_to_install(const KnownEngine& engine, const std::string& version) {
  const std::string wanted = version.empty() ? std::string(engine.newest) : version;
  const std::string pin = wanted.empty() ? "" : fmt::format("=={}.*", wanted);
  // Old releases have no packages for newer Pythons.
  const char* const python = engine.name == "openvino" && (version.starts_with("2021") || version.starts_with("2022"))
                                 ? "python3.8"
                                 : "python3";
  return fmt::format("{} -m venv mo_engine && mo_engine/bin/pip install '{}{}', then add --python mo_engine/bin/python",
                     python, engine.package, pin);
}

std::string text_in(const Json& object, const char* key) {
  const auto it = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

Json parsed(const std::string& line) { return Json::parse(line, nullptr, false); }

Diagnostic nonsense(const std::string& title, const std::string& line) {
  constexpr std::size_t kShown = 120;
  return error("MO-VERIFY-0011", "{} gave an answer that cannot be understood: '{}'", title, line.substr(0, kShown))
      .hint("check that --python names a Python, and that nothing prints when it starts");
}

/// The arrays of an answer; those that cannot be read (texts) are left out.
std::vector<EngineTensor> arrays_in(const Json& answer, const char* key) {
  std::vector<EngineTensor> tensors;
  const auto list = answer.find(key);
  if (list == answer.end() || !list->is_array()) return tensors;
  for (const Json& entry : *list) {
    EngineTensor tensor;
    if (const auto names = entry.find("names"); entry.is_object() && names != entry.end() && names->is_array())
      for (const Json& name : *names)
        if (name.is_string()) tensor.names.push_back(name.get<std::string>());
    auto value = read_npy(text_in(entry, "file"));
    if (!value) continue;
    tensor.value = *std::move(value);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Expected<Json> written(const std::vector<EngineTensor>& inputs, const fs::path& folder) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < inputs.size(); ++i) files.push_back(fmt::format("input_{}.npy", i));
  Json made = Json::array();
  if (files.empty()) return made;
  MO_ASSIGN(const std::unique_ptr<OutputSet> set, OutputSet::create(folder.string(), "mo_engine", files));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    MO_ASSIGN(OutputFile* const file, set->open(i));
    MO_TRY(write_npy(*file, inputs[i].value));
    MO_TRY(file->close());
    made.push_back({{"names", inputs[i].names}, {"file", (folder / files[i]).string()}});
  }
  MO_TRY(set->commit());
  return made;
}

}  // namespace

Expected<EngineRequest> parse_engine(const std::string& text) {
  EngineRequest request;
  const std::size_t at = text.find('@');
  request.name = text.substr(0, at);
  if (at != std::string::npos) request.version = text.substr(at + 1);
  const bool is_version = std::all_of(request.version.begin(), request.version.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; });
  const KnownEngine* const known = find_engine(request.name);
  if (known == nullptr || !known->computes || !is_version || (at != std::string::npos && request.version.empty()))
    return error("MO-VERIFY-0007",
                 "--engine {}: expected onnxruntime, opencv, openvino or tensorflow, with a version like "
                 "openvino@2024.6 if it matters",
                 text)
        .hint("onnxruntime, opencv and tensorflow run the model, openvino runs the IR");
  return request;
}

std::string_view engine_of(std::string_view framework) {
  const auto it = std::find_if(std::begin(kEngines), std::end(kEngines),
                               [&](const KnownEngine& known) { return known.framework == framework; });
  return it == std::end(kEngines) ? std::string_view() : it->name;
}

Engine::Engine(std::unique_ptr<Worker> worker, std::unique_ptr<TemporaryFolder> folder, std::string title)
    : worker_(std::move(worker)), folder_(std::move(folder)), title_(std::move(title)) {}

Expected<std::unique_ptr<Engine>> Engine::start(const EngineRequest& request) {
  const KnownEngine& known = *find_engine(request.name);
  const std::string title(known.title);
  const std::string python =
      request.python.empty() ? environment({"MO_ENGINE_PYTHON"}).value_or("python3") : request.python;
  const fs::path programs = shared_folder("engines");
  if (programs.empty())
    return error("MO-VERIFY-0008",
                 "the programs that run other engines are not installed beside this one (share/mo/engines)")
        .hint("run mo from a complete installation");
  MO_ASSIGN(const WorkerLimits limits, limits_of_user());
  MO_ASSIGN(std::unique_ptr<TemporaryFolder> folder, TemporaryFolder::create("mo_engine"));
  // -B: an installation is not written to.
  auto worker =
      Worker::start({python, "-B", (programs / (request.name + "_worker.py")).string()}, limits, "MO-VERIFY-0008");
  if (!worker)
    return error("MO-VERIFY-0008", "{}", worker.error().items().front().message)
        .hint("{}", how_to_install(known, request.version));
  std::unique_ptr<Engine> engine(new Engine(*std::move(worker), std::move(folder), title));
  MO_ASSIGN(const WorkerReply hello, engine->worker_->read());
  if (hello.state != WorkerReply::State::line) return engine->died(hello, "start");
  const Json said = parsed(hello.line);
  if (const std::string missing = text_in(said, "missing"); !missing.empty())
    return error("MO-VERIFY-0008", "{} is not installed in {}: {}", title, python, missing)
        .hint("{}", how_to_install(known, request.version));
  const std::string version = release_in(text_in(said, "version"));
  if (version.empty()) return nonsense(title, hello.line);
  if (!request.version.empty() && !begins_with_version(version, request.version))
    return error("MO-VERIFY-0008", "{} has {} {}, and {} is asked for", python, title, version, request.version)
        .hint("{}", how_to_install(known, request.version));
  engine->title_ = title + " " + version;
  return engine;
}

Error Engine::died(const WorkerReply& reply, const std::string& step) const {
  const std::string words = reply.last_words.empty() ? "" : ": " + reply.last_words;
  const std::string where = step == "start"     ? "while it started"
                            : step == "read"    ? "while it read the model"
                            : step == "compile" ? "while it compiled the model"
                                                : "while it computed the model";
  switch (reply.state) {
    case WorkerReply::State::too_long: return nonsense(title_, "a line without end");
    case WorkerReply::State::out_of_time:
      return error("MO-VERIFY-0010", "{} has used up its processor time {}{}", title_, where, words)
          .hint("MO_ENGINE_SECONDS sets the limit; another version of the engine may not hang");
    case WorkerReply::State::asleep:
      return error("MO-VERIFY-0010", "{} hangs: none of its threads has run for a long time {}{}", title_, where, words)
          .hint("try another version of the engine");
    case WorkerReply::State::ended:
    case WorkerReply::State::line: break;
  }
  return error("MO-VERIFY-0009", "{} crashed {} ({}){}", title_, where, reply.end, words)
      .hint("try another version of the engine");
}

Expected<EngineRun> Engine::run(const EngineJob& job) {
  const fs::path folder = fs::path(folder_->path()) / std::to_string(runs_++);
  std::error_code problem;
  fs::create_directory(folder, problem);
  const std::string model = fs::absolute(job.model, problem).string();
  Json line{{"model", model}, {"output_dir", folder.string()}, {"tensors", job.tensors}, {"strict", job.by_name_only}};
  MO_ASSIGN(line["inputs"], written(job.inputs, folder));
  if (!job.weights.empty()) line["weights"] = fs::absolute(job.weights, problem).string();
  if (!job.checkpoint.empty()) line["checkpoint"] = fs::absolute(job.checkpoint, problem).string();
  if (!job.tags.empty()) line["tags"] = job.tags;
  if (!job.signature.empty()) line["signature"] = job.signature;
  MO_ASSIGN(const Json said, answer(line));
  if (const std::string failed = text_in(said, "failed"); !failed.empty())
    return error("MO-VERIFY-0012", "{} cannot {} the model: {}", title_, failed == "infer" ? "compute" : failed,
                 text_in(said, "error"))
        .in_file(job.model)
        .hint("{}",
              job.model.ends_with(".xml")
                  ? "--target_runtime and --ir_version write an IR for a release; another version of the engine may "
                    "take it"
                  : "another version of the engine may take it; --input_shape fixes sizes that it does not accept");
  EngineRun run{.outputs = arrays_in(said, "outputs"), .tensors = arrays_in(said, "tensors")};
  fs::remove_all(folder, problem);
  return run;
}

Expected<void> Engine::check(const std::string& model) {
  std::error_code problem;
  MO_ASSIGN(const Json said,
            answer({{"model", fs::absolute(model, problem).string()}, {"check", true}, {"until", "read"}}));
  if (text_in(said, "failed").empty()) return {};
  return error("MO-VERIFY-0016", "{} does not accept the model: {}", title_, text_in(said, "error"))
      .in_file(model)
      .hint("report it, please; --onnx-opset with another op set may avoid it");
}

Expected<Json> Engine::answer(const Json& job) {
  worker_->send(job.dump(-1, ' ', true, Json::error_handler_t::replace));
  std::string step = "read";
  for (std::size_t i = 0; i < kMostSteps; ++i) {
    MO_ASSIGN(const WorkerReply reply, worker_->read());
    if (reply.state != WorkerReply::State::line) return died(reply, step);
    Json said = parsed(reply.line);
    if (!said.is_object()) return nonsense(title_, reply.line);
    if (const std::string next = text_in(said, "step"); !next.empty()) {
      step = next;
      continue;
    }
    if (text_in(said, "failed").empty() && !said.contains("outputs")) return nonsense(title_, reply.line);
    return said;
  }
  return nonsense(title_, "only steps");
}

}  // namespace mo::tools
