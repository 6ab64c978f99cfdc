// The languages that have words: what the chat may ask the service for.

export const LANGUAGES = ["ar", "bg", "de", "en", "es", "fi", "fr", "hr", "it", "nl", "pt", "th", "tr", "zh"] as const;

export type Language = (typeof LANGUAGES)[number];
