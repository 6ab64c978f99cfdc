// Moves the focus in a table whose rows end in buttons (`td.acts-of`): up and down in the column, right and left in the row.

export function stepInTable(event: KeyboardEvent, root: ParentNode): void {
  const rows = [...root.querySelectorAll<HTMLElement>("td.acts-of")].filter((cell) => cell.firstElementChild);
  const row = rows.findIndex((cell) => cell.contains(event.target as Node));
  const line = row < 0 ? [] : ([...(rows[row]?.children ?? [])] as HTMLElement[]);
  const at = line.indexOf(event.target as HTMLElement);
  const up = (to: number) => {
    const cells = rows[to]?.children;
    return cells?.[Math.min(at, cells.length - 1)] as HTMLElement | undefined;
  };
  const ways: Readonly<Record<string, () => HTMLElement | undefined>> = {
    ArrowDown: () => up(row + 1),
    ArrowUp: () => up(row - 1),
    ArrowRight: () => line[at + 1],
    ArrowLeft: () => line[at - 1],
    Home: () => up(0),
    End: () => up(rows.length - 1),
  };
  const next = ways[event.key]?.();
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
