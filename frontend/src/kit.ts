// What the dialogs take from the chat. The widget is one file and its dialogs another: this module is the one thing that the
// second finds in the first, so that nothing is loaded twice.

export { css, html, LitElement, nothing, svg } from "lit";
export { fill } from "./texts";
export { buttons } from "./view/buttons";
export { ChooseEvent } from "./view/choosing";
export { arrowDown, backward, cross, forward, icon, outward, pin, tick } from "./view/icons";
export { imageSource, linkTarget } from "./view/links";
export { plain } from "./view/markdown";
export { inWords } from "./view/places";
export { figures, regional } from "./view/time";
export { base } from "./view/tokens";
