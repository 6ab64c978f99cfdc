// The words of Home.

import { pick } from "../words";

export const words = pick({
  en: { title: "Bots", none: "There is no bot yet", noneHelp: "Make one and run it, then load this page again:" },
  de: { title: "Bots", none: "Es gibt noch keinen Bot", noneHelp: "Legen Sie einen an, starten Sie ihn und laden Sie dann diese Seite neu:" },
});
