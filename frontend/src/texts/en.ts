// The chat's own words in English, and with that the list of all words that there are.

export const en = {
  begin: "Write a message to begin.",
  chatWith: "Chat with {name}",
  close: "Close",
  connecting: "Connecting…",
  failed: "Not sent",
  left: "Characters left: {n}",
  newMessages: "New messages",
  notNow: "This chat cannot be opened right now.",
  offline: "You are offline. Your messages are sent as soon as you are back.",
  options: "Options",
  over: "Too long by {n} characters",
  place: "Location",
  file: "File",
  placeholder: "Write a message…",
  reconnecting: "Connecting again…",
  replies: "Suggested replies",
  retry: "Retry",
  said: "{name} says:",
  send: "Send",
  sending: "Sending",
  submit: "Done",
  tryAgain: "Try again",
  typeAnswer: "Please type your answer.",
  typing: "{name} is typing",
  youSaid: "You say:",
};

export type Words = typeof en;
