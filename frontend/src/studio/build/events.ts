// The event by which the parts of Build ask the room to change or to show something.

import type { Row, StepType } from "./flow-outline";

export type Wish =
  | { readonly kind: "select"; readonly row: Row }
  | { readonly kind: "open"; readonly row: Row; /** The form is written in next. */ readonly hasFocus?: boolean }
  | { readonly kind: "add"; readonly conversation: string; readonly index: number; readonly type: StepType }
  | { readonly kind: "remove"; readonly row: Row }
  | { readonly kind: "double"; readonly row: Row }
  | { readonly kind: "move"; readonly row: Row; readonly conversation: string; readonly index: number }
  | { readonly kind: "move-conversation"; readonly key: string; readonly before: string | null }
  | { readonly kind: "new-conversation" }
  | { readonly kind: "edit"; readonly path: readonly (string | number)[]; readonly value: unknown; readonly group: string }
  | { readonly kind: "text"; readonly file: string; readonly text: string; readonly group: string }
  | { readonly kind: "rename"; readonly key: string; readonly name: string }
  | { readonly kind: "fix"; readonly number: number }
  | { readonly kind: "show-finding"; readonly number: number }
  | { readonly kind: "leave-detail" };

export class WishEvent extends Event {
  constructor(readonly wish: Wish) {
    super("build-wish", { bubbles: true, composed: true });
  }
}
