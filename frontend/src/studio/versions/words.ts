// The words of what differs between two versions.

import { pick } from "../words";

export const words = pick({
  en: {
    difference: "What changes",
    access: "This changes who gets what, which only an administrator may do:",
    same: "Nothing differs.",
    asLines: "As lines",
    kinds: { added: "new", removed: "removed", changed: "changed", unreadable: "unreadable" },
    cannotBeRead: (file: string) => `${file} cannot be read: it is no JSON`,
  },
  de: {
    difference: "Was sich ändert",
    access: "Das ändert, wer was bekommt; nur ein Administrator darf das:",
    same: "Nichts unterscheidet sich.",
    asLines: "Als Zeilen",
    kinds: { added: "neu", removed: "entfernt", changed: "geändert", unreadable: "unlesbar" },
    cannotBeRead: (file) => `${file} kann nicht gelesen werden: Es ist kein JSON`,
  },
});
