// The room Understand: types and their expressions, a sentence tried, the training's report, missed sentences.

import { BuildTemplate } from "../build/template-field";
import { register } from "../rooms";
import { UnderstandMissed } from "./missed";
import { UnderstandReport } from "./report";
import { UnderstandTry } from "./try";
import { UnderstandTypes } from "./types";
import { StudioUnderstand } from "./understand";

export function define(): void {
  register({
    "build-template": BuildTemplate,
    "understand-try": UnderstandTry,
    "understand-types": UnderstandTypes,
    "understand-report": UnderstandReport,
    "understand-missed": UnderstandMissed,
    "studio-understand": StudioUnderstand,
  });
}
