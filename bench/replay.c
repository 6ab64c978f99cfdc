/* The statements of the SQLite writer once more, by a program that does nothing else.
 *
 *   replay LOG DATABASE PAGES     prints seconds of CPU, seconds that passed, statements, and SQLite's version
 *
 * The log (bench/record.py): number of texts, the texts; then for each statement the place of its text, the number of
 * its values, and the values: one byte for the type (0 null, 1 integer, 2 text, 3 bytes), then the value.
 * Each text is prepared once. Pragmas are those of storage/sqlite/connection.py.
 */

#include "replay.h"
#include "sqlite3.h"

static sqlite3 *database;

static void check(int code) {
  if (code != SQLITE_OK) fail("SQLite", sqlite3_errmsg(database));
}

static void bind(sqlite3_stmt *statement, int place) {
  uint32_t length;
  const char *value;
  switch (byte()) {
    case 0:
      check(sqlite3_bind_null(statement, place));
      break;
    case 1:
      check(sqlite3_bind_int64(statement, place, long_number()));
      break;
    case 2:
      value = text(&length);
      check(sqlite3_bind_text(statement, place, value, (int)length, SQLITE_STATIC));
      break;
    default:
      value = text(&length);
      check(sqlite3_bind_blob(statement, place, value, (int)length, SQLITE_STATIC));
  }
}

int main(int count, char **words) {
  if (count != 4) fail("usage", "replay LOG DATABASE PAGES");
  read_log(words[1]);
  check(sqlite3_open(words[2], &database));
  check(sqlite3_exec(database,
                     "pragma mmap_size = 0; pragma journal_mode = wal; pragma synchronous = full;"
                     "pragma secure_delete = on; pragma cache_size = -65536; pragma temp_store = memory;",
                     0, 0, 0));
  check(sqlite3_wal_autocheckpoint(database, atoi(words[3])));

  uint32_t texts = number(), length, statements = 0;
  const char **sql = calloc(texts, sizeof *sql);
  sqlite3_stmt **prepared = calloc(texts, sizeof *prepared);
  for (uint32_t i = 0; i < texts; i++) sql[i] = text(&length);

  double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
  for (; at < end; statements++) {
    uint32_t which = number(), values = number();
    if (!prepared[which]) check(sqlite3_prepare_v3(database, sql[which], -1, SQLITE_PREPARE_PERSISTENT, &prepared[which], 0));
    sqlite3_stmt *statement = prepared[which];
    for (uint32_t i = 1; i <= values; i++) bind(statement, (int)i);
    while (sqlite3_step(statement) == SQLITE_ROW) {
    }
    check(sqlite3_reset(statement));
  }
  cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  wall = seconds(CLOCK_MONOTONIC) - wall;
  printf("%.6f %.6f %u %s\n", cpu, wall, statements, sqlite3_libversion());
  return 0;
}
