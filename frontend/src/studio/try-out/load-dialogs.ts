// Loads the chat's dialogs and logins when a message first needs them.

export const loadDialogs = async () => {
  const [dialogs, logins] = await Promise.all([import("../../dialogs"), import("../../logins")]);
  return { ...dialogs, ...logins };
};
