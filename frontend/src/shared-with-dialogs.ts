// What the dialogs and logins use of the chat: they are loaded after it and find these modules there.

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
