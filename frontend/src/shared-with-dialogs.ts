// The modules that the dialogs import from the chat. The build makes one file of the widget and one of its dialogs; the second
// finds these in the first (`Dialoom.shared`), so that nothing is loaded twice.

export { css, html, LitElement, nothing, svg } from "lit";
export { fill } from "./texts";
export { buttons } from "./view/buttons";
export { ChooseEvent } from "./view/choose-event";
export { arrowDown, backward, cross, forward, icon, outward, pin, tick } from "./view/icons";
export { leaveOut } from "./view/images";
export { imageSource, linkTarget } from "./view/links";
export { plain, title } from "./view/markdown";
export { inWords } from "./view/coordinate-words";
export { figures, regional } from "./view/time";
export { base } from "./view/tokens";
