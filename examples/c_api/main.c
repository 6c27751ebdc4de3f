/* Reads a model into memory, converts it there, and writes what the IR computes of an input full of ones.
 *   convert_in_memory MODEL INPUT DIM...        convert_in_memory net.onnx x 1 3
 */
#include <mo.h>
#include <stdio.h>
#include <stdlib.h>

static void* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  void* bytes = NULL;
  long end;
  if (!file) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
    *size = (size_t)end;
    bytes = malloc(*size + 1);
    if (bytes && fread(bytes, 1, *size, file) != *size) {
      free(bytes);
      bytes = NULL;
    }
  }
  fclose(file);
  return bytes;
}

/* Ends the program when a request failed; the text says what to do about it. */
static mo_result* checked(mo_result* result) {
  if (mo_result_status(result) == MO_OK) return result;
  fprintf(stderr, "%s\n", mo_result_error(result));
  exit((int)mo_result_status(result));
}

static int show(void* context, double share, const char* step) {
  (void)context;
  fprintf(stderr, "%3.0f %%  %s\n", share * 100, step);
  return 0; /* go on */
}

static mo_result* convert(const char* path) {
  size_t size = 0;
  void* bytes = read_file(path, &size);
  mo_request* request = mo_request_new();
  mo_result* result;
  if (!bytes || !request) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(MO_INPUT_UNREADABLE);
  }
  mo_request_set_bytes(request, "input_model", path, bytes, size);
  free(bytes); /* it was copied */
  mo_request_keep_in_memory(request, 1);
  mo_request_on_progress(request, show, NULL);
  result = checked(mo_convert(request));
  mo_request_free(request);
  return result;
}

static void run(const mo_result* ir, const mo_tensor* input) {
  size_t size, i, k;
  const void* bytes;
  mo_request* request = mo_request_new();
  mo_result* result;
  if (!request) exit(MO_RESOURCE_LIMIT);
  bytes = mo_result_bytes(ir, MO_XML, &size);
  mo_request_set_bytes(request, "input_model", "model.xml", bytes, size);
  bytes = mo_result_bytes(ir, MO_BIN, &size);
  mo_request_set_bytes(request, "weights", "model.bin", bytes, size);
  result = checked(mo_run(request, input, 1));
  for (i = 0; i < mo_result_tensor_count(result); ++i) {
    mo_tensor output;
    mo_result_tensor(result, i, &output);
    printf("%s: %s\n", output.name, output.element_type);
    if (output.element_type[0] != 'f' || output.size % sizeof(float) != 0) continue;
    for (k = 0; k < output.size / sizeof(float) && k < 8; ++k) printf("  %g", ((const float*)output.data)[k]);
    printf("\n");
  }
  mo_result_free(result);
  mo_request_free(request);
}

int main(int argc, char** argv) {
  int64_t shape[8];
  mo_tensor input = {NULL, "f32", shape, 0, NULL, sizeof(float)};
  float* ones;
  size_t i;
  mo_result* ir;
  if (argc < 3 || argc > 3 + 8) {
    fprintf(stderr, "usage: %s MODEL INPUT DIM...\n", argv[0]);
    return MO_USAGE;
  }
  input.name = argv[2];
  for (input.rank = 0; (int)input.rank < argc - 3; ++input.rank) {
    shape[input.rank] = strtoll(argv[3 + input.rank], NULL, 10);
    input.size *= (size_t)shape[input.rank];
  }
  ones = malloc(input.size);
  if (!ones) return MO_RESOURCE_LIMIT;
  for (i = 0; i < input.size / sizeof(float); ++i) ones[i] = 1;
  input.data = ones;
  ir = convert(argv[1]);
  printf("%s\n", mo_result_json(ir));
  run(ir, &input);
  mo_result_free(ir);
  free(ones);
  return MO_OK;
}
