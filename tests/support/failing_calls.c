/* Makes one call to the file system fail, or end the process, in a program that is started with this library in LD_PRELOAD.
 *
 *   FAIL_CALL    name of the function: open, mkdir, write, rename …
 *   FAIL_AT      which of its calls, from 1 on
 *   FAIL_ERROR   number of the error that this call reports, or
 *   FAIL_SIGNAL  number of the signal that comes at its place
 *   FAIL_ALWAYS  every call from FAIL_AT on fails, too
 *   FAIL_COUNT   file that gets one line per function at the end: name and number of calls
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CALLS = 32 };
static struct {
  const char* name;
  int calls;
} counted[CALLS];

static int number_of(const char* variable, int otherwise) {
  const char* text = getenv(variable);
  return text ? atoi(text) : otherwise;
}

/* Whether this call fails; errno is set then. */
static int fails(const char* name) {
  int i = 0;
  while (counted[i].name && strcmp(counted[i].name, name) != 0) ++i;
  counted[i].name = name;
  const int call = ++counted[i].calls;
  const char* chosen = getenv("FAIL_CALL");
  if (!chosen || strcmp(chosen, name) != 0) return 0;
  const int at = number_of("FAIL_AT", 1);
  if (call < at || (call > at && !getenv("FAIL_ALWAYS"))) return 0;
  const int signal_number = number_of("FAIL_SIGNAL", 0);
  if (signal_number) {
    raise(signal_number);
    return 0;
  }
  errno = number_of("FAIL_ERROR", EIO);
  return 1;
}

__attribute__((destructor)) static void report(void) {
  const char* path = getenv("FAIL_COUNT");
  FILE* file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  for (int i = 0; i < CALLS && counted[i].name; ++i) fprintf(file, "%s %d\n", counted[i].name, counted[i].calls);
  fclose(file);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRAP(result, name, failure, parameters, arguments) \
  result name parameters {                                 \
    if (fails(#name)) return failure;                      \
    return NEXT(name) arguments;                           \
  }

WRAP(ssize_t, read, -1, (int file, void* to, size_t size), (file, to, size))
WRAP(ssize_t, pread, -1, (int file, void* to, size_t size, off_t at), (file, to, size, at))
WRAP(ssize_t, write, -1, (int file, const void* from, size_t size), (file, from, size))
WRAP(int, fsync, -1, (int file), (file))
WRAP(int, ftruncate, -1, (int file, off_t size), (file, size))
WRAP(int, fallocate, -1, (int file, int mode, off_t at, off_t size), (file, mode, at, size))
WRAP(int, flock, -1, (int file, int how), (file, how))
WRAP(int, fstat, -1, (int file, struct stat* info), (file, info))
WRAP(int, stat, -1, (const char* path, struct stat* info), (path, info))
WRAP(int, mkdir, -1, (const char* path, mode_t mode), (path, mode))
WRAP(int, rmdir, -1, (const char* path), (path))
WRAP(int, unlink, -1, (const char* path), (path))
WRAP(int, rename, -1, (const char* from, const char* to), (from, to))

/* The descriptor is closed all the same, as Linux does. */
int close(int file) {
  const int failed = fails("close");
  const int reason = errno;
  const int result = NEXT(close)(file);
  if (!failed) return result;
  errno = reason;
  return -1;
}

static mode_t mode_of(int flags, va_list more) { return flags & O_CREAT ? va_arg(more, mode_t) : 0; }

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return fails("open") ? -1 : NEXT(open)(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return fails("openat") ? -1 : NEXT(openat)(folder, path, flags, mode);
}
