// The styles that Operate's tabs share: tables that become cards on narrow screens, marks of a state, lists of findings.

import { css } from "lit";

export const tab = css`
  :host {
    display: block;
    container-type: inline-size;
  }

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px 16px;
  }

  header + p {
    margin-block: 4px 12px;
    max-inline-size: 68ch;
  }

  .empty {
    margin-block-start: 12px;
    padding: 20px;
    border: 1px dashed var(--line-strong);
    border-radius: 10px;
    text-align: center;
  }

  .mark {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    padding: 0 8px;
    border-radius: 10px;
    background: var(--raised);
    font-size: 12px;
    font-weight: 500;
    line-height: 20px;
    white-space: nowrap;
  }

  .mark::before {
    content: "";
    inline-size: 7px;
    block-size: 7px;
    border-radius: 50%;
    background: var(--line-strong);
  }

  .mark.ok::before {
    background: light-dark(oklch(0.6 0.14 150), oklch(0.72 0.15 150));
  }

  .mark.warn::before {
    background: light-dark(oklch(0.7 0.15 75), oklch(0.8 0.14 80));
  }

  .mark:is(.fail, .wrong)::before {
    background: var(--danger);
  }

  .said {
    display: flex;
    flex-direction: column;
    gap: 8px;
    margin: 12px 0 0;
    padding: 0;
    list-style: none;
    font-size: 13.5px;
    overflow-wrap: anywhere;
  }

  .said > li {
    display: grid;
    grid-template-columns: 88px minmax(0, 1fr);
    gap: 8px;
    align-items: baseline;
  }

  .said .mark {
    justify-self: start;
  }
`;

export const table = css`
  table {
    inline-size: 100%;
    margin-block-start: 12px;
    border-spacing: 0;
    font-size: 13.5px;
    font-variant-numeric: tabular-nums;
  }

  th {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    padding: 6px 12px 6px 0;
    border-block-end: 1px solid var(--line);
    background: var(--surface);
    color: var(--quiet);
    font-size: 12px;
    font-weight: 500;
    line-height: 16px;
    text-align: start;
    white-space: nowrap;
  }

  td {
    padding: 4px 12px 4px 0;
    border-block-end: 1px solid var(--line);
    vertical-align: middle;
    overflow-wrap: anywhere;
  }

  td.short {
    white-space: nowrap;
  }

  :is(td, th).acts-of {
    inline-size: 1%;
    padding-inline-end: 0;
    text-align: end;
    white-space: nowrap;
  }

  @container (max-width: 719px) {
    thead {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }

    table,
    tbody {
      display: block;
    }

    tr {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 2px 14px;
      padding-block: 10px;
      border-block-start: 1px solid var(--line);
    }

    td {
      padding: 0;
      border: 0;
    }

    td.long,
    td.acts-of {
      flex: 1 0 100%;
    }

    td.acts-of {
      margin-inline-start: -8px;
      text-align: start;
    }
  }
`;
