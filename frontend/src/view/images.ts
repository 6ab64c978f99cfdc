// What becomes of an image that does not load.

/** For `@error`: takes the image out of sight, so that what stands behind or beside it shows instead of the browser's icon. */
export function leaveOut(event: Event): void {
  (event.target as HTMLElement).hidden = true;
}
