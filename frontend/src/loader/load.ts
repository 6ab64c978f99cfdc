// Puts a widget into the page, once for each chat and place, and finds it again.

import type { Options, Widget } from "./options";
import type { Stages } from "./stages";
import { containerOf, PageWidget } from "./widget";

const widgetsOfPage = Symbol.for("dialoom");

/** One for all loaders of a page: a script line that stands there twice makes one widget. */
const page = globalThis as { [widgetsOfPage]?: Map<string, PageWidget> };
const widgets = (page[widgetsOfPage] ??= new Map<string, PageWidget>());

/**
 * Returns the widget of this chat, which stands in the page from then on. A second call with the same bot, channel and place
 * returns the one that is there, whatever else its options say. Throws when the options name no chat.
 */
export function load(options: Options | null, server: string, stages: Stages): Widget {
  const { bot, channel, display } = options ?? {};
  if (!options || !bot?.id || !channel?.id) throw new Error(`Dialoom: load() needs the text ${bot?.id ? "channel" : "bot"}.id.`);
  const place = display?.mode === "inline" ? (display.containerId ?? "") : null;
  if (place !== null) containerOf(options);
  const key = JSON.stringify([server, bot.id, channel.id, place]);
  const known = widgets.get(key);
  known?.settle();
  if (known) return known;
  const made = new PageWidget(options, server, stages, () => widgets.delete(key));
  widgets.set(key, made);
  return made;
}
