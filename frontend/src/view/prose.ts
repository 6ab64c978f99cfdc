// The styles of what Markdown becomes: paragraphs, lists, tables, code, images and links of a message.

import { css } from "lit";

export const prose = css`
  .prose > :first-child {
    margin-block-start: 0;
  }

  .prose > :last-child {
    margin-block-end: 0;
  }

  .prose p,
  .prose ul,
  .prose ol,
  .prose pre,
  .prose blockquote,
  .prose .table {
    margin-block: 8px;
  }

  /* Each item and cell runs by its own first letter, and stands on the side of its list or table. */
  .prose :is(li, td, th) {
    text-align: -webkit-match-parent;
    text-align: match-parent;
    unicode-bidi: plaintext;
  }

  .prose .heading {
    margin-block-start: 16px;
    font-weight: 600;
  }

  .prose ul,
  .prose ol {
    padding-inline-start: 22px;
  }

  .prose li {
    margin-block: 2px;
  }

  .prose li p {
    margin-block: 4px;
  }

  .prose li::marker {
    color: var(--quiet);
  }

  .prose a {
    color: var(--brand-ink);
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
    border-radius: 2px;
  }

  .prose a:hover {
    text-decoration-thickness: 2px;
  }

  .prose strong {
    font-weight: 600;
  }

  .prose code {
    padding: 1px 5px;
    border-radius: 5px;
    background: var(--raised-hover);
  }

  .prose pre {
    padding: 10px 14px;
    border-radius: 10px;
    background: var(--raised);
    overflow-x: auto;
    direction: ltr;
  }

  .prose pre code {
    padding: 0;
    background: none;
  }

  .prose blockquote {
    margin-inline: 0;
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--line);
    color: var(--quiet);
  }

  .prose hr {
    margin-block: 16px;
    border: 0;
    border-block-start: 1px solid var(--line);
  }

  /* An image that does not come is its own words. */
  .prose .lost {
    display: none;
    color: var(--quiet);
  }

  .prose img[hidden] + .lost {
    display: inline;
  }

  .prose img {
    display: block;
    max-inline-size: 100%;
    max-block-size: 320px;
    margin-block: 6px;
    border-radius: 12px;
  }

  .prose .table {
    max-inline-size: 100%;
    overflow-x: auto;
  }

  .prose table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }

  .prose th,
  .prose td {
    padding-block: 6px;
    padding-inline: 0 20px;
    border-block-end: 1px solid var(--line);
    overflow-wrap: normal;
  }

  .prose :is(th, td):last-child {
    padding-inline-end: 0;
  }

  .prose th {
    color: var(--quiet);
    font-size: 13px;
    font-weight: 500;
  }

  .prose [data-align="center"] {
    text-align: center;
  }

  .prose [data-align="right"] {
    text-align: end;
  }
`;
