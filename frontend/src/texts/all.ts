// Every language of the chat's own words. The build makes a file of each but English; tests read them here.

import { ar } from "./ar.ts";
import { bg } from "./bg.ts";
import { de } from "./de.ts";
import { en, type Words } from "./en.ts";
import { es } from "./es.ts";
import { fi } from "./fi.ts";
import { fr } from "./fr.ts";
import { hr } from "./hr.ts";
import { it } from "./it.ts";
import { nl } from "./nl.ts";
import { pt } from "./pt.ts";
import { th } from "./th.ts";
import { tr } from "./tr.ts";
import { zh } from "./zh.ts";
import type { Language } from "./languages";

export const all: Readonly<Record<Language, Words>> = { ar, bg, de, en, es, fi, fr, hr, it, nl, pt, th, tr, zh };
