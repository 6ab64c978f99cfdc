// Serves telegram-test-api on the port that is given, until it is ended.

const TelegramServer = require("telegram-test-api");

new TelegramServer({ port: Number(process.argv[2]), host: "127.0.0.1" }).start().then(
  () => console.log("ready"),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
