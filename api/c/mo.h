/* libmo: the Model Optimizer as a C library.
 *
 *   mo_request* request = mo_request_new();
 *   mo_request_set(request, "input_model", "model.onnx");
 *   mo_result* result = mo_convert(request);
 *   if (mo_result_status(result) != MO_OK) fprintf(stderr, "%s\n", mo_result_error(result));
 *   mo_result_free(result);
 *   mo_request_free(request);
 *
 * Ownership: what a function with `_new` in its name or one of mo_convert, mo_inspect, mo_verify, mo_run returns belongs to the caller, who gives it back
 * with the function `_free` of its type; NULL may be given back, too. Everything else that is returned (texts, bytes) belongs to the object it was asked
 * of and lives as long as that. What is given to a function is copied, unless it says otherwise.
 *
 * Texts are UTF-8 and end in '\0'. Sizes are bytes. No function throws, prints, changes the locale or ends the process on account of a model.
 *
 * Threads: different objects may be used in different threads at the same time. One request is for one thread at a time, but for mo_request_cancel; a
 * request may be used again when its result is there. A result does not change and may be read by many threads.
 */
#ifndef MO_H
#define MO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MO_API __attribute__((visibility("default")))
#else
#define MO_API
#endif

/* Grows when something is added; what is there stays. An incompatible library has another name (libmo.so.2). */
#define MO_API_VERSION 1

/* That of the library that is loaded: at least the MO_API_VERSION that a program was compiled with. */
MO_API unsigned mo_api_version(void);
/* Of mo, "0.1.0". */
MO_API const char* mo_version(void);

/* What became of a request: the exit codes of the program `mo` (docs/cli.md). Others may be added. */
typedef enum mo_status {
  MO_OK = 0,
  MO_CONVERSION_FAILED = 1, /* mo itself is wrong, or nobody said better */
  MO_USAGE = 2,             /* an option, or a call of this library, cannot be as it is */
  MO_INPUT_UNREADABLE = 3,
  MO_INPUT_MALFORMED = 4,
  MO_UNSUPPORTED = 5,
  MO_RESOURCE_LIMIT = 6, /* memory, work or time ended, or the request was cancelled */
  MO_OUTPUT_UNWRITABLE = 7,
  MO_VERIFICATION_FAILED = 8, /* both models do not compute the same */
  MO_EXTENSION_FAILED = 9
} mo_status;

/* ---- What is asked ---- */

typedef struct mo_request mo_request;

/* NULL when there is no memory. */
MO_API mo_request* mo_request_new(void);
MO_API void mo_request_free(mo_request* request);

/* Gives an option as the command line does (docs/cli.md), without "--": mo_request_set(r, "input_shape", "[1,3,224,224]"). A flag has the value NULL. What
 * is given again replaces what was given before, as on a command line; wrong names and values show when the request is used. mo_verify and mo_run know a few
 * options more, see there. MO_USAGE for NULL pointers, MO_RESOURCE_LIMIT without memory: so all functions that return a status here. */
MO_API mo_status mo_request_set(mo_request* request, const char* option, const char* value);
/* The same as words of a command line: {"model.onnx", "--input_shape", "[1,3]"}. */
MO_API mo_status mo_request_add_words(mo_request* request, size_t count, const char* const* words);
/* Gives the content of the file that an option would name: mo_request_set_bytes(r, "input_model", "net.onnx", data, size). `name` is what messages call it,
 * and without the option model_name its stem is the name of the network. The model must be whole: files beside it are not found. The bytes are copied. */
MO_API mo_status mo_request_set_bytes(mo_request* request, const char* option, const char* name, const void* data, size_t size);
/* mo_convert keeps the IR in memory, to be had with mo_result_bytes, and writes no file. */
MO_API mo_status mo_request_keep_in_memory(mo_request* request, int keep);

/* Is told by mo_convert, in its thread, that `share` of the work is done (0 to 1, never decreasing), and what is done now. Not 0: cancel. */
typedef int (*mo_progress)(void* context, double share, const char* step);
/* NULL: nobody is told. `context` is handed on. */
MO_API mo_status mo_request_on_progress(mo_request* request, mo_progress progress, void* context);

/* Whatever the request is used for stops soon, with MO_RESOURCE_LIMIT and the code MO-LIMIT-0004; also what is begun later. From any thread, and from a handler
 * of signals. */
MO_API void mo_request_cancel(mo_request* request);

/* ---- What came out ---- */

typedef struct mo_result mo_result;

/* Converts the model. */
MO_API mo_result* mo_convert(mo_request* request);
/* Says what is in the model, what would stop its conversion, and which options would do. An IR must be files: its .bin is looked for beside the .xml. */
MO_API mo_result* mo_inspect(mo_request* request);
/* Compares what the model computes with what its IR does: the option "checked" names the .xml (and "weights" the .bin, else beside it); without it, what a
 * conversion writes. Further options: those of `mo verify` (docs/tools.md): seed, seeds, rtol, atol, bisect, portable, reference. */
MO_API mo_result* mo_verify(mo_request* request);

/* A tensor: row-major, packed, little-endian. */
typedef struct mo_tensor {
  const char* name;         /* of an input: its name; NULL or "": the next one in the model's order */
  const char* element_type; /* "f32", "f16", "i64", "u8", "boolean" … (docs/text_form.md); of an input also "integer": i64 numbers, for any type of number */
  const int64_t* shape;
  size_t rank;
  const void* data; /* 1 byte for each boolean; types of less than a byte as mo packs them */
  size_t size;      /* of the data, in bytes: checked against type and shape */
} mo_tensor;

/* Runs the model (an IR, or whatever mo converts) with the reference executor. Further options: "weights" (of an IR: the .bin) and "portable" (flag). */
MO_API mo_result* mo_run(mo_request* request, const mo_tensor* inputs, size_t count);

/* These four return NULL only when there is no memory even for a result. Of NULL: MO_RESOURCE_LIMIT, and texts that say so. */
MO_API mo_status mo_result_status(const mo_result* result);
/* The stable code of the first error, "MO-OPS-0012" (docs/errors.md); "" without one. */
MO_API const char* mo_result_error_code(const mo_result* result);
/* All errors as the program would print them, several lines; "" without one. */
MO_API const char* mo_result_error(const mo_result* result);
/* Everything, as JSON: docs/schemas/api_result.schema.json. */
MO_API const char* mo_result_json(const mo_result* result);

/* The files of an IR that was kept in memory. NULL, and size 0, when there are none. */
typedef enum mo_part { MO_XML = 0, MO_BIN = 1 } mo_part;
MO_API const void* mo_result_bytes(const mo_result* result, mo_part part, size_t* size);

/* The outputs of mo_run, in the model's order. */
MO_API size_t mo_result_tensor_count(const mo_result* result);
/* MO_USAGE when there is none of this number. */
MO_API mo_status mo_result_tensor(const mo_result* result, size_t index, mo_tensor* tensor);

MO_API void mo_result_free(mo_result* result);

#ifdef __cplusplus
}
#endif

#endif /* MO_H */
