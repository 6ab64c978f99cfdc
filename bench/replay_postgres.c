/* The calls of the PostgreSQL writers once more, by a program that does nothing else.
 *
 *   replay_postgres LOG DATABASE CONNECTIONS     prints seconds of CPU, seconds that passed, calls
 *
 * The log (bench/record.py): the text of the one statement; then what happened in its order, each with one byte:
 * 1, a call begins: connection, number of values, each with one byte (0 null, 1 a value) and its bytes as the wire has
 * them; 2, the call of a connection has ended: it is waited for here too, so that no call goes before one that it needs.
 */

#include "replay.h"
#include "libpq-fe.h"

static void await(PGconn *connection) {
  PGresult *result;
  while ((result = PQgetResult(connection))) {
    if (PQresultStatus(result) != PGRES_TUPLES_OK) fail("PostgreSQL", PQresultErrorMessage(result));
    if (PQntuples(result)) fail("a turn was refused", PQgetvalue(result, 0, 1));
    PQclear(result);
  }
}

int main(int count, char **words) {
  if (count != 4) fail("usage", "replay_postgres LOG DATABASE CONNECTIONS");
  read_log(words[1]);
  uint32_t length, calls = 0, connections = (uint32_t)atoi(words[3]);
  const char *statement = text(&length);
  PGconn **connection = calloc(connections, sizeof *connection);
  for (uint32_t i = 0; i < connections; i++) {
    connection[i] = PQconnectdb(words[2]);
    if (PQstatus(connection[i]) != CONNECTION_OK) fail("PostgreSQL", PQerrorMessage(connection[i]));
    PQclear(PQexec(connection[i], "set search_path = dialoom; set jit = off"));
    PQclear(PQprepare(connection[i], "turn", statement, 0, 0));
  }
  const char *values[256];
  int lengths[256], formats[256];
  for (int i = 0; i < 256; i++) formats[i] = 1;

  double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
  while (at < end) {
    uint8_t what = byte();
    PGconn *mine = connection[number()];
    if (what == 2) {
      await(mine);
      continue;
    }
    uint32_t given = number();
    for (uint32_t i = 0; i < given; i++) {
      values[i] = 0;
      length = 0;
      if (byte()) values[i] = text(&length);
      lengths[i] = (int)length;
    }
    if (!PQsendQueryPrepared(mine, "turn", (int)given, values, lengths, formats, 1))
      fail("PostgreSQL", PQerrorMessage(mine));
    calls++;
  }
  cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  wall = seconds(CLOCK_MONOTONIC) - wall;
  printf("%.6f %.6f %u\n", cpu, wall, calls);
  return 0;
}
