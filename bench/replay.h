/* What both replays share: a log of calls in memory, and the CPU time of this process.
 *
 * Numbers are little-endian, as the machines are on which this is measured. A text or bytes: u32 length, then so many
 * bytes and a NUL (not counted).
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *at;
static const char *end;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static void read_log(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) fail(path, "cannot be read");
  long size = ftell(file);
  char *log = malloc((size_t)size + 1);
  rewind(file);
  if (!log || fread(log, 1, (size_t)size, file) != (size_t)size) fail(path, "cannot be read");
  fclose(file);
  at = log;
  end = log + size;
}

static uint8_t byte(void) { return (uint8_t)*at++; }

static uint32_t number(void) {
  uint32_t found;
  memcpy(&found, at, 4);
  at += 4;
  return found;
}

static int64_t long_number(void) {
  int64_t found;
  memcpy(&found, at, 8);
  at += 8;
  return found;
}

static const char *text(uint32_t *length) {
  *length = number();
  const char *found = at;
  at += *length + 1;
  return found;
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
