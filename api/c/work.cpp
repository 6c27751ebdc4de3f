#include "api/c/work.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "api/options.hpp"
#include "tools/verify/report.hpp"

namespace mo::api {
namespace {

/// Tells the program how far a conversion is, and cancels when it says so.
class Progress final : public ProgressSink {
 public:
  explicit Progress(mo_request& request) : request_(request) {}
  void step(double share, std::string_view step) override {
    if (request_.progress && request_.progress(request_.context, share, std::string(step).c_str()) != 0)
      request_.cancelled = true;
  }

 private:
  mo_request& request_;
};

/// Keeps messages where the result has them, also those before an error.
class Messages final : public DiagnosticSink {
 public:
  explicit Messages(mo_result& result) : result_(result) {}
  void report(Diagnostic diagnostic) override { result_.messages.push_back(std::move(diagnostic)); }

 private:
  mo_result& result_;
};

/// What a conversion from bytes must not know of the paths by which it reads them: they differ from run to run.
void forget_paths(const mo_request& request, Options& options) {
  for (GivenOption& given : options.given)
    if (const mo_request::Bytes* const bytes = request.bytes_of(given.name)) given.text = bytes->name;
  const mo_request::Bytes* const model = request.bytes_of("input_model");
  if (model && options.model_name.empty()) options.model_name = std::filesystem::path(model->name).stem().string();
}

/// Symbols of mo are not visible in libmo, so plugins find nothing of what they need.
Expected<void> refuse_plugins(const Options& options) {
  if (!options.has_plugins()) return {};
  return error("MO-API-0001", "libmo loads no plugins")
      .hint("convert with the program mo, or link mo::driver and mo::host into a program of your own");
}

/// How all that work with options prepare them.
Expected<void> prepare(mo_request& request, Options& options) {
  MO_TRY(refuse_plugins(options));
  options.budget.cancel = &request.cancelled;
  // Names in a model that came as bytes are not names of files: nothing is beside it.
  if (!request.bytes.empty()) options.allow_links = false;
  return {};
}

/// The element type of numbers without a type of their own: given as i64, and converted to the type of the input.
constexpr std::string_view kUntyped = "integer";

Expected<Tensor> tensor_of(const mo_tensor& given, std::size_t index) {
  const std::string_view name = given.element_type ? given.element_type : "";
  const auto type = name == kUntyped ? ElementType::i64 : element_type_from(name);
  if (!type)
    return error("MO-API-0003", "input {}: there is no element type \"{}\"", index, name)
        .hint("for example f32, f16, i64, i32, u8, boolean");
  Shape shape;
  if (given.shape) shape.assign(given.shape, given.shape + given.rank);
  // Compared before anything is allocated: these numbers are not checked yet.
  const bool has_negative = std::any_of(shape.begin(), shape.end(), [](std::int64_t dim) { return dim < 0; });
  const auto count = has_negative || shape.size() != given.rank ? std::nullopt : element_count(shape);
  const auto wanted = count ? byte_size(*type, *count) : std::nullopt;
  if (!wanted || *wanted != given.size || (given.size > 0 && !given.data))
    return error("MO-API-0002", "input {}: {} bytes are given for {} of shape {}", index, given.data ? given.size : 0,
                 to_string(*type), mo::to_string(shape))
        .hint("give the elements one after the other, without gaps");
  MO_ASSIGN(Tensor tensor, Tensor::allocate(*type, std::move(shape), HeapBuffer::Content::any));
  if (given.size > 0) std::memcpy(tensor.mutable_bytes().data(), given.data, given.size);
  return tensor;
}

}  // namespace

Expected<void> convert(mo_request& request, mo_result& result) {
  Messages messages(result);
  MO_ASSIGN(Options options, parse_options(request.words_without({}), messages));
  MO_TRY(prepare(request, options));
  forget_paths(request, options);
  options.keeps_in_memory = request.keeps_in_memory;
  Progress progress(request);
  MO_ASSIGN(result.conversion, mo::convert(options, messages, &progress));
  // What was read out of memory has no path that anybody else could use.
  for (const mo_request::Bytes& each : request.bytes) std::erase(result.conversion->inputs, each.file->path());
  return {};
}

Expected<void> inspect(mo_request& request, mo_result& result) {
  const std::vector<std::string> words = request.words_without({});
  MO_ASSIGN(Options options, parse_model_options(words));
  MO_TRY(prepare(request, options));
  MO_ASSIGN(result.inspection, plan_for(words, &request.cancelled));
  result.messages = result.inspection->trial.messages;
  return {};
}

Expected<void> verify(mo_request& request, mo_result& result) {
  MO_ASSIGN(VerifyRequest asked, parse_verify_request(request.words_without({})));
  MO_TRY(prepare(request, asked.source));
  Messages messages(result);
  MO_ASSIGN(result.verification, mo::verify(asked, messages));
  if (result.verification->verdict == Verdict::different) return tools::as_error(*result.verification);
  return {};
}

Expected<void> run(mo_request& request, std::span<const mo_tensor> inputs, mo_result& result) {
  RunRequest asked;
  MO_ASSIGN(asked.model, parse_model_options(request.words_without({"weights", "portable"})));
  MO_TRY(prepare(request, asked.model));
  if (const auto* const weights = request.setting("weights")) asked.weights = weights->value.value_or("");
  asked.portable = request.setting("portable") != nullptr;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    MO_ASSIGN(Tensor value, tensor_of(inputs[i], i));
    const std::string_view type = inputs[i].element_type;  // tensor_of refuses an input without one
    asked.inputs.push_back({inputs[i].name ? inputs[i].name : "", std::move(value), {}, type == kUntyped});
  }
  Messages messages(result);
  MO_ASSIGN(result.outputs, mo::run(asked, messages));
  result.ran = true;
  return {};
}

}  // namespace mo::api
