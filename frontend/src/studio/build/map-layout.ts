// Where the map of a flow puts its boxes and arrows: goals above, support below, each box into the column that is shortest so far.

import type { Box, BoxRow } from "./api";

export const BOX_WIDTH = 320;
export const HEAD = 40;
export const ROW = 26;
const CONDITION = 16;
const GAP = 72;
const BETWEEN = 28;
const EDGE = 32;
const SECTION = 44;
const PAD = 8;
const MAX_COLUMNS = 4;

export interface PlacedRow {
  readonly row: BoxRow;
  readonly y: number;
}

export interface PlacedBox {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly rows: readonly PlacedRow[];
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** Of an SVG path. */
  readonly path: string;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly sections: readonly { readonly isGoal: boolean; readonly y: number }[];
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly Arrow[];
}

export function layout(boxes: readonly Box[]): Layout {
  const groups = [boxes.filter(({ isGoal }) => isGoal), boxes.filter(({ isGoal }) => !isGoal)];
  const most = Math.max(1, ...groups.map((group) => group.length));
  const columns = Math.min(MAX_COLUMNS, Math.ceil(Math.sqrt(most)));
  const placed: PlacedBox[] = [];
  const sections: { isGoal: boolean; y: number }[] = [];
  let bottom = EDGE;
  for (const group of groups) {
    if (!group.length) continue;
    sections.push({ isGoal: group === groups[0], y: bottom + 14 });
    const here = placeGroup(group, columns, bottom + SECTION - 16);
    placed.push(...here);
    bottom = Math.max(...here.map(({ y, height }) => y + height)) + SECTION;
  }
  const width = 2 * EDGE + columns * BOX_WIDTH + (columns - 1) * GAP + GAP / 2;
  return { width, height: bottom, sections, boxes: placed, arrows: arrowsOf(placed) };
}

function placeGroup(group: readonly Box[], columns: number, top: number): PlacedBox[] {
  const bottoms = Array.from({ length: columns }, () => top);
  return group.map((box) => {
    const column = bottoms.indexOf(Math.min(...bottoms));
    const y = bottoms[column] ?? top;
    let at = y + HEAD;
    const rows = box.rows.map((row): PlacedRow => {
      const placed = { row, y: at };
      at += ROW + (row.condition ? CONDITION : 0);
      return placed;
    });
    const height = at - y + PAD;
    bottoms[column] = y + height + BETWEEN;
    return { box, x: EDGE + column * (BOX_WIDTH + GAP), y, height, rows };
  });
}

function arrowsOf(placed: readonly PlacedBox[]): Arrow[] {
  const byKey = new Map(placed.map((one) => [one.box.key, one]));
  return placed.flatMap((from) =>
    from.rows.flatMap(({ row, y }) => {
      const to = row.jump === null ? undefined : byKey.get(row.jump);
      return to ? [{ from: from.box.key, to: to.box.key, path: arrow(from, y + ROW / 2, to) }] : [];
    }),
  );
}

/** From the row's nearer side to the head of the other box. In one column it goes out and back on the right. */
function arrow(from: PlacedBox, y: number, to: PlacedBox): string {
  const end = to.y + HEAD / 2;
  if (from.x === to.x) {
    const x = from.x + BOX_WIDTH;
    const bend = x + Math.min(GAP * 0.7, 20 + Math.abs(end - y) / 20);
    return `M${x} ${y}C${bend} ${y} ${bend} ${end} ${x + 2} ${end}`;
  }
  const isRight = to.x > from.x;
  const start = isRight ? from.x + BOX_WIDTH : from.x;
  const target = isRight ? to.x - 2 : to.x + BOX_WIDTH + 2;
  const middle = (start + target) / 2;
  return `M${start} ${y}C${middle} ${y} ${middle} ${end} ${target} ${end}`;
}
