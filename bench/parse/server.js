// Parse Server on the PostgreSQL database of the first argument; prints its address when it listens.
import express from "express";
import { ParseServer } from "parse-server";

// It reads no host out of the query of an address, where the folder of a socket stands.
const url = new URL(process.argv[2]);
const socket = url.searchParams.get("host");
const parse = new ParseServer({
  databaseURI: process.argv[2],
  databaseOptions: socket ? { host: socket, user: url.searchParams.get("user") } : {},
  appId: "bench",
  masterKey: "bench-master",
  masterKeyIps: ["127.0.0.1", "::1", "::ffff:127.0.0.1"],
  serverURL: "http://127.0.0.1/parse",
  allowClientClassCreation: true,
  silent: true,
  logsFolder: null,
});
await parse.start();
const app = express();
app.use("/parse", parse.app);
const server = app.listen(0, "127.0.0.1", () => console.log(`API http://127.0.0.1:${server.address().port}/parse`));
