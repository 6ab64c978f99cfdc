// Which rows of a long list are drawn: those that are seen, and a few beside.

export interface RowWindow {
  readonly from: number;
  /** After the last one. */
  readonly to: number;
}

/** Rows that are drawn above and below of what is seen. */
const SPARE_ROWS = 8;

export function rowWindow(count: number, rowHeight: number, scrolled: number, height: number): RowWindow {
  const first = Math.floor(scrolled / rowHeight);
  const seen = Math.ceil(height / rowHeight) + 1;
  // By whole blocks, so that scrolling a little draws nothing again.
  const from = Math.max(0, Math.floor((first - SPARE_ROWS) / SPARE_ROWS) * SPARE_ROWS);
  return { from: Math.min(from, count), to: Math.min(count, from + seen + 3 * SPARE_ROWS) };
}
