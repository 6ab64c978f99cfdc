// The room Insights: what became of a bot's conversations, in numbers that lead to them.

import { register } from "../rooms";
import { StudioChart } from "./chart";
import { StudioInsights } from "./insights";

export function define(): void {
  register({ "studio-chart": StudioChart, "studio-insights": StudioInsights });
}
