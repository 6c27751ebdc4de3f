// The functions of mo.h: what crosses the border of the library, and that nothing else does.
#include "api/c/mo.h"

#include <exception>
#include <new>

#include "api/c/work.hpp"
#include "driver/version.hpp"

namespace {

using mo::Expected;

/// Does `work`, which returns a status; nothing that is thrown gets out.
template <class Work>
mo_status guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) { return MO_RESOURCE_LIMIT; } catch (...) {
    return MO_CONVERSION_FAILED;
  }
}

/// What `work` gives, or the error that stands for what it throws.
template <class Work>
Expected<void> caught(Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return mo::error("MO-LIMIT-0005", "there is not enough memory for this model")
        .hint("raise the memory limit of the process (ulimit -v, container)");
  } catch (const std::exception& unexpected) {
    return mo::error("MO-API-0004", "this is a bug in mo: {}", unexpected.what())
        .hint("please report it, with the options and the version of mo");
  }
}

/// The result of `work`, which is Expected<void>(mo_request&, mo_result&).
template <class Work>
mo_result* answer(mo_request* request, Work&& work) noexcept {
  try {
    auto result = std::make_unique<mo_result>();
    if (!request) {
      result->fail(mo::error("MO-API-0005", "a function of libmo was called without a request")
                       .hint("make one with mo_request_new"));
      result->finish({});
      return result.release();
    }
    if (const auto done = caught([&] { return work(*request, *result); }); !done) result->fail(done.error());
    result->finish(*request);
    return result.release();
  } catch (...) { return nullptr; }  // no memory even for saying so
}

}  // namespace

unsigned mo_api_version(void) { return MO_API_VERSION; }

const char* mo_version(void) { return mo::version().data(); }

mo_request* mo_request_new(void) { return new (std::nothrow) mo_request; }

void mo_request_free(mo_request* request) { delete request; }

mo_status mo_request_set(mo_request* request, const char* option, const char* value) {
  if (!request || !option) return MO_USAGE;
  return guarded([&] {
    request->set(option, value ? std::optional<std::string>(value) : std::nullopt);
    return MO_OK;
  });
}

mo_status mo_request_add_words(mo_request* request, size_t count, const char* const* words) {
  if (!request || (count > 0 && !words)) return MO_USAGE;
  for (size_t i = 0; i < count; ++i)
    if (!words[i]) return MO_USAGE;
  return guarded([&] {
    request->given_words.insert(request->given_words.end(), words, words + count);
    return MO_OK;
  });
}

mo_status mo_request_set_bytes(mo_request* request, const char* option, const char* name, const void* data,
                               size_t size) {
  if (!request || !option || !name || (size > 0 && !data)) return MO_USAGE;
  return guarded([&] {
    const auto done = request->set_bytes(option, name, {static_cast<const std::byte*>(data), size});
    return done ? MO_OK : MO_RESOURCE_LIMIT;
  });
}

mo_status mo_request_keep_in_memory(mo_request* request, int keep) {
  if (!request) return MO_USAGE;
  request->keeps_in_memory = keep != 0;
  return MO_OK;
}

mo_status mo_request_on_progress(mo_request* request, mo_progress progress, void* context) {
  if (!request) return MO_USAGE;
  request->progress = progress;
  request->context = context;
  return MO_OK;
}

void mo_request_cancel(mo_request* request) {
  if (request) request->cancelled = true;
}

mo_result* mo_convert(mo_request* request) { return answer(request, mo::api::convert); }

mo_result* mo_inspect(mo_request* request) { return answer(request, mo::api::inspect); }

mo_result* mo_verify(mo_request* request) { return answer(request, mo::api::verify); }

mo_result* mo_run(mo_request* request, const mo_tensor* inputs, size_t count) {
  const std::span<const mo_tensor> given(inputs, inputs ? count : 0);
  return answer(request, [&](mo_request& asked, mo_result& result) { return mo::api::run(asked, given, result); });
}

mo_status mo_result_status(const mo_result* result) { return result ? result->status : MO_RESOURCE_LIMIT; }

const char* mo_result_error_code(const mo_result* result) {
  return result ? result->error_code.c_str() : "MO-LIMIT-0005";
}

const char* mo_result_error(const mo_result* result) {
  return result ? result->error_text.c_str() : "MO-LIMIT-0005: there is not enough memory";
}

const char* mo_result_json(const mo_result* result) { return result ? result->json.c_str() : "null"; }

const void* mo_result_bytes(const mo_result* result, mo_part part, size_t* size) {
  std::span<const std::byte> bytes;
  if (result && result->conversion)
    if (const auto& file = part == MO_XML ? result->conversion->xml : result->conversion->bin) bytes = file->bytes();
  if (size) *size = bytes.size();
  return bytes.data();
}

size_t mo_result_tensor_count(const mo_result* result) { return result ? result->outputs.size() : 0; }

mo_status mo_result_tensor(const mo_result* result, size_t index, mo_tensor* tensor) {
  if (!result || !tensor || index >= result->outputs.size()) return MO_USAGE;
  const mo::NamedTensor& output = result->outputs[index];
  const std::span<const std::byte> bytes = output.value.bytes();
  // Names of types are string literals.
  *tensor = {output.name.c_str(),
             mo::to_string(output.value.element_type()).data(),
             output.value.shape().data(),
             output.value.shape().size(),
             bytes.data(),
             bytes.size()};
  return MO_OK;
}

void mo_result_free(mo_result* result) { delete result; }
