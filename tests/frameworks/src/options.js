// What the test's server tells the page of the service.

const told = new URLSearchParams(location.search);

export const options = {
  server: told.get("server"),
  bot: { id: "tea", name: "Tea house" },
  channel: { id: "web", token: told.get("token") },
};
