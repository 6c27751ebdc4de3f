/* libmo as a C program sees it. Run under valgrind as well (test libmo_valgrind): whatever is asked, no error of memory and nothing lost. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mo.h"

static int failures = 0;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      ++failures;                                                             \
      printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);        \
    }                                                                         \
  } while (0)

/* y = Relu(x + w) */
static const char* const kModel =
    "ir_version: 8 opset_import { version: 13 } graph { name: \"g\"\n"
    "node { op_type: \"Add\" name: \"sum\" input: \"x\" input: \"w\" output: \"s\" }\n"
    "node { op_type: \"Relu\" name: \"act\" input: \"s\" output: \"y\" }\n"
    "initializer { name: \"w\" data_type: 1 dims: 3 float_data: 1 float_data: -2 float_data: 3 }\n"
    "input { name: \"x\" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 3 } } } } }\n"
    "output { name: \"y\" type { tensor_type { elem_type: 1 } } } }\n";

static mo_request* request_for_model(void) {
  mo_request* request = mo_request_new();
  CHECK(request != NULL);
  CHECK(mo_request_set_bytes(request, "input_model", "net.onnx.txt", kModel, strlen(kModel)) == MO_OK);
  return request;
}

static mo_result* convert_in_memory(void) {
  mo_request* request = request_for_model();
  mo_request_keep_in_memory(request, 1);
  mo_result* result = mo_convert(request);
  if (mo_result_status(result) != MO_OK) printf("%s\n", mo_result_error(result));
  CHECK(mo_result_status(result) == MO_OK);
  mo_request_free(request);
  return result;
}

static int contains(const void* bytes, size_t size, const char* text) {
  size_t i;
  const size_t length = strlen(text);
  for (i = 0; i + length <= size; ++i)
    if (memcmp((const char*)bytes + i, text, length) == 0) return 1;
  return 0;
}

static void test_versions(void) {
  CHECK(mo_api_version() == MO_API_VERSION);
  CHECK(strchr(mo_version(), '.') != NULL);
}

static void test_memory_to_memory(void) {
  mo_result* result = convert_in_memory();
  mo_result* again = convert_in_memory();
  size_t size = 0, other = 0;
  const void* xml = mo_result_bytes(result, MO_XML, &size);
  const void* same = mo_result_bytes(again, MO_XML, &other);
  CHECK(size > 0 && size == other && memcmp(xml, same, size) == 0);
  CHECK(contains(xml, size, "type=\"ReLU\""));
  CHECK(contains(xml, size, "name=\"net.onnx\"") && contains(xml, size, "DIR/net.onnx.txt"));
  CHECK(!contains(xml, size, "/proc/"));
  CHECK(mo_result_bytes(result, MO_BIN, &size) != NULL && size == 12);
  CHECK(strstr(mo_result_json(result), "\"layers\":5") != NULL);
  CHECK(strstr(mo_result_json(result), "\"xml\":null") != NULL);
  CHECK(strcmp(mo_result_error_code(result), "") == 0);
  mo_result_free(again);
  mo_result_free(result);
}

static void test_file_to_file(const char* folder) {
  char path[4096];
  const char* words[2];
  FILE* file;
  mo_request* request = mo_request_new();
  mo_result* result;
  snprintf(path, sizeof path, "%s/model.onnxtxt", folder);
  file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(kModel, strlen(kModel), 1, file) == 1);
  if (file) fclose(file);
  words[0] = path;
  words[1] = "--model_name=by_words";
  CHECK(mo_request_add_words(request, 2, words) == MO_OK);
  CHECK(mo_request_set(request, "output_dir", folder) == MO_OK);
  CHECK(mo_request_set(request, "compress_to_fp16", NULL) == MO_OK);
  result = mo_convert(request);
  CHECK(mo_result_status(result) == MO_OK);
  CHECK(mo_result_bytes(result, MO_XML, NULL) == NULL);
  CHECK(strstr(mo_result_json(result), "by_words.xml\"") != NULL && strstr(mo_result_json(result), "model.onnxtxt\"]") != NULL);
  mo_result_free(result);
  unlink(path);
  snprintf(path, sizeof path, "%s/by_words.xml", folder);
  CHECK(unlink(path) == 0);
  snprintf(path, sizeof path, "%s/by_words.bin", folder);
  CHECK(unlink(path) == 0);
  mo_request_free(request);
}

static void test_errors(void) {
  mo_request* request = mo_request_new();
  mo_result* result = mo_convert(request);
  CHECK(mo_result_status(result) == MO_USAGE && strcmp(mo_result_error_code(result), "MO-CLI-0006") == 0);
  mo_result_free(result);

  CHECK(mo_request_set(request, "no_such_option", "1") == MO_OK);
  result = mo_convert(request);
  CHECK(mo_result_status(result) == MO_USAGE && strcmp(mo_result_error_code(result), "MO-CLI-0001") == 0);
  CHECK(strstr(mo_result_error(result), "no_such_option") != NULL);
  CHECK(strstr(mo_result_json(result), "\"code\":\"MO-CLI-0001\"") != NULL);
  mo_result_free(result);
  mo_request_free(request);

  request = mo_request_new();
  CHECK(mo_request_set_bytes(request, "input_model", "broken.onnx", "\x08\x08\x3a\x7f nothing", 12) == MO_OK);
  result = mo_convert(request);
  CHECK(mo_result_status(result) != MO_OK);
  CHECK(strstr(mo_result_error(result), "broken.onnx") != NULL && strstr(mo_result_error(result), "/proc/") == NULL);
  mo_result_free(result);
  mo_request_free(request);

  request = request_for_model();
  mo_request_set(request, "extensions", "plugin.so");
  result = mo_convert(request);
  CHECK(mo_result_status(result) == MO_USAGE && strcmp(mo_result_error_code(result), "MO-API-0001") == 0);
  mo_result_free(result);
  mo_request_free(request);
}

static void test_misuse(void) {
  mo_tensor tensor;
  size_t size = 7;
  mo_result* result = mo_convert(NULL);
  CHECK(mo_result_status(result) == MO_USAGE && strcmp(mo_result_error_code(result), "MO-API-0005") == 0);
  CHECK(mo_result_tensor(result, 0, &tensor) == MO_USAGE);
  mo_result_free(result);
  mo_result_free(NULL);
  mo_request_free(NULL);
  mo_request_cancel(NULL);
  CHECK(mo_request_set(NULL, "a", "b") == MO_USAGE);
  CHECK(mo_result_status(NULL) == MO_RESOURCE_LIMIT && mo_result_json(NULL) != NULL && mo_result_error(NULL) != NULL);
  CHECK(mo_result_bytes(NULL, MO_BIN, &size) == NULL && size == 0);
  CHECK(mo_result_tensor_count(NULL) == 0);
}

struct Steps {
  int count;
  int cancel_at;
  double share;
  int decreased;
};

static int on_progress(void* context, double share, const char* step) {
  struct Steps* steps = context;
  if (share < steps->share || !step[0]) steps->decreased = 1;
  steps->share = share;
  return ++steps->count == steps->cancel_at;
}

static void test_progress_and_cancel(void) {
  struct Steps steps = {0, -1, 0, 0};
  mo_request* request = request_for_model();
  mo_result* result;
  mo_request_keep_in_memory(request, 1);
  mo_request_on_progress(request, on_progress, &steps);
  result = mo_convert(request);
  CHECK(mo_result_status(result) == MO_OK && steps.count > 3 && steps.share == 1.0 && !steps.decreased);
  mo_result_free(result);

  steps.count = 0;
  steps.share = 0;
  steps.cancel_at = 2;
  result = mo_convert(request);
  CHECK(mo_result_status(result) == MO_RESOURCE_LIMIT && strcmp(mo_result_error_code(result), "MO-LIMIT-0004") == 0);
  CHECK(steps.share < 1);
  mo_result_free(result);
  mo_request_free(request);
}

static void test_inspect(void) {
  mo_request* request = request_for_model();
  mo_result* result = mo_inspect(request);
  CHECK(mo_result_status(result) == MO_OK);
  CHECK(strstr(mo_result_json(result), "\"converts\":true") != NULL);
  CHECK(strstr(mo_result_json(result), "/proc/") == NULL);
  mo_result_free(result);
  mo_request_cancel(request);
  result = mo_inspect(request);
  CHECK(strcmp(mo_result_error_code(result), "MO-LIMIT-0004") == 0);
  mo_result_free(result);
  mo_request_free(request);
}

static mo_request* request_for_ir(mo_result* ir, const char* model_option) {
  size_t size = 0;
  const void* bytes = mo_result_bytes(ir, MO_XML, &size);
  mo_request* request = mo_request_new();
  CHECK(mo_request_set_bytes(request, model_option, "net.xml", bytes, size) == MO_OK);
  bytes = mo_result_bytes(ir, MO_BIN, &size);
  CHECK(mo_request_set_bytes(request, "weights", "net.bin", bytes, size) == MO_OK);
  return request;
}

/* Whatever a caller says of a tensor is compared with what he gives. */
static void test_bad_tensors(mo_request* request, const float* values) {
  const int64_t negative[2] = {-2, -3}, huge[3] = {INT64_MAX, INT64_MAX, 4}, large[2] = {1000000, 1000000}, small[2] = {1, 1};
  const mo_tensor bad[] = {{"x", "f32", negative, 2, values, 24}, {"x", "f32", huge, 3, values, 24}, {"x", "f32", large, 2, values, 24},
                           {"x", "f32", small, 2, values, 24},    {"x", "f32", NULL, 2, values, 24}, {"x", "f32", small, 2, NULL, 4},
                           {"x", "string", small, 2, values, 4},  {"x", "dynamic", small, 2, values, 4}};
  size_t i;
  for (i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    mo_result* result = mo_run(request, &bad[i], 1);
    CHECK(strcmp(mo_result_error_code(result), "MO-API-0002") == 0);
    mo_result_free(result);
  }
}

static void test_run(void) {
  const float values[6] = {-3, 5, 1, 2, 2, -9};
  const float expected[6] = {0, 3, 4, 3, 0, 0};
  const int64_t shape[2] = {2, 3};
  mo_tensor input = {"x", "f32", shape, 2, values, sizeof values};
  mo_tensor output;
  mo_result* ir = convert_in_memory();
  mo_request* request = request_for_ir(ir, "input_model");
  mo_result* result;
  mo_result_free(ir);
  mo_request_set(request, "portable", NULL);
  result = mo_run(request, &input, 1);
  if (mo_result_status(result) != MO_OK) printf("%s\n", mo_result_error(result));
  CHECK(mo_result_status(result) == MO_OK && mo_result_tensor_count(result) == 1);
  if (mo_result_tensor(result, 0, &output) == MO_OK) {
    CHECK(strcmp(output.element_type, "f32") == 0 && output.rank == 2 && output.shape[1] == 3);
    CHECK(output.size == sizeof expected && memcmp(output.data, expected, sizeof expected) == 0);
  }
  mo_result_free(result);

  test_bad_tensors(request, values);
  input.size = 8;
  result = mo_run(request, &input, 1);
  CHECK(strcmp(mo_result_error_code(result), "MO-API-0002") == 0);
  mo_result_free(result);
  input.element_type = "float";
  result = mo_run(request, &input, 1);
  CHECK(strcmp(mo_result_error_code(result), "MO-API-0003") == 0);
  mo_result_free(result);
  input.element_type = "f32";
  input.size = sizeof values;
  input.name = "z";
  result = mo_run(request, &input, 1);
  CHECK(strcmp(mo_result_error_code(result), "MO-RUN-0001") == 0);
  mo_result_free(result);
  result = mo_run(request, NULL, 0);
  CHECK(strcmp(mo_result_error_code(result), "MO-RUN-0004") == 0);
  mo_result_free(result);
  mo_request_free(request);
}

static void test_verify(void) {
  mo_result* ir = convert_in_memory();
  mo_request* request = request_for_ir(ir, "checked");
  mo_result* result;
  mo_request_set_bytes(request, "input_model", "net.onnx", kModel, strlen(kModel));
  result = mo_verify(request);
  if (mo_result_status(result) != MO_OK) printf("%s\n", mo_result_error(result));
  CHECK(mo_result_status(result) == MO_OK);
  CHECK(strstr(mo_result_json(result), "\"verdict\":\"equal\"") != NULL);
  mo_result_free(result);
  mo_request_free(request);
  mo_result_free(ir);
}

static void* convert_often(void* unused) {
  int i;
  for (i = 0; i < 3; ++i) mo_result_free(convert_in_memory());
  return unused;
}

static void* cancel(void* request) {
  mo_request_cancel(request);
  return NULL;
}

static void test_threads(void) {
  pthread_t threads[3];
  mo_request* request = request_for_model();
  mo_result* result;
  int i;
  for (i = 0; i < 3; ++i) CHECK(pthread_create(&threads[i], NULL, convert_often, NULL) == 0);
  for (i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  CHECK(pthread_create(&threads[0], NULL, cancel, request) == 0);
  pthread_join(threads[0], NULL);
  result = mo_convert(request);
  CHECK(mo_result_status(result) == MO_RESOURCE_LIMIT);
  mo_result_free(result);
  mo_request_free(request);
}

int main(void) {
  char folder[] = "/tmp/libmo_test_XXXXXX";
  if (!mkdtemp(folder)) return 2;
  test_versions();
  test_memory_to_memory();
  test_file_to_file(folder);
  test_errors();
  test_misuse();
  test_progress_and_cancel();
  test_inspect();
  test_run();
  test_verify();
  test_threads();
  CHECK(rmdir(folder) == 0);
  printf("%d failures\n", failures);
  return failures != 0;
}
