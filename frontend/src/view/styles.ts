// The styles of the chat: head, list of messages, bubbles, typing dots, lines of state. Colours come from the tokens.

import { css } from "lit";

export const layout = css`
  :host {
    display: block;
    block-size: 100%;
    min-block-size: 0;
    background: var(--surface);
    color: var(--text);
    font: 400 15px/22px var(--font);
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
  }

  .chat {
    position: relative;
    display: flex;
    flex-direction: column;
    block-size: 100%;
    overflow: hidden;
  }

  .column {
    inline-size: 100%;
    max-inline-size: 720px;
    margin-inline: auto;
    padding-inline: 16px;
  }

  .head {
    flex: none;
    border-block-end: 1px solid var(--line);
    padding-block-start: env(safe-area-inset-top);
  }

  .head .column {
    display: flex;
    align-items: center;
    gap: 12px;
    min-block-size: 60px;
  }

  .name {
    flex: 1;
    margin: 0;
    font-size: 16px;
    font-weight: 600;
    line-height: 22px;
    letter-spacing: -0.005em;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .close {
    margin-inline-end: -8px;
  }

  .list,
  .foot {
    zoom: var(--text-zoom, 1);
  }

  .consent {
    margin: 0 0 8px;
    color: var(--quiet);
    font-size: 12px;
    line-height: 16px;
  }

  .consent a {
    color: var(--brand-ink);
  }

  .avatar {
    flex: none;
    display: grid;
    place-items: center;
    inline-size: var(--size, 28px);
    block-size: var(--size, 28px);
    border-radius: 50%;
    overflow: hidden;
    background: var(--brand-quiet);
    color: var(--brand-ink);
    font-size: calc(var(--size, 28px) * 0.44);
    font-weight: 600;
    line-height: 1;
    user-select: none;
  }

  .avatar img {
    inline-size: 100%;
    block-size: 100%;
    object-fit: cover;
  }

  .head .avatar {
    --size: 36px;
  }

  .body {
    position: relative;
    flex: 1;
    min-block-size: 0;
  }

  .scroller {
    /* What is placed inside, such as texts for screen readers, scrolls here: else the whole chat could be scrolled away. */
    position: relative;
    block-size: 100%;
    overflow: hidden auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
    scrollbar-color: var(--line-strong) transparent;
  }

  .scroller:focus-visible {
    outline-offset: -2px;
  }

  .list {
    display: flex;
    flex-direction: column;
    min-block-size: 100%;
    padding-block: 20px 16px;
  }

  .time {
    margin-block: 24px 12px;
    color: var(--quiet);
    font-size: 12px;
    line-height: 16px;
    text-align: center;
  }

  .time:first-child {
    margin-block-start: 0;
  }
`;

export const bubbles = css`
  .group {
    display: flex;
    flex-direction: column;
    gap: 2px;
    margin-block-start: 12px;
  }

  .time + .group,
  .group:first-child {
    margin-block-start: 0;
  }

  .group.bot {
    position: relative;
    align-items: flex-start;
    padding-inline: 36px 16px;
  }

  .group.bot > .avatar {
    position: absolute;
    inset-block-end: 5px;
    inset-inline-start: 0;
  }

  .group.user {
    align-items: flex-end;
    padding-inline-start: 52px;
  }

  .line {
    display: flex;
    flex-direction: column;
    max-inline-size: min(100%, 68ch);
  }

  .user .line {
    align-items: flex-end;
  }

  .bubble {
    max-inline-size: 100%;
    padding: 8px 14px;
    border-radius: var(--round);
    overflow-wrap: anywhere;
  }

  .bot .bubble {
    align-self: flex-start;
    background: var(--raised);
  }

  .bot .line:not(:first-of-type) .bubble {
    border-start-start-radius: var(--joined);
  }

  .bot .line:not(:last-of-type) .bubble {
    border-end-start-radius: var(--joined);
  }

  .user .bubble {
    background: var(--brand);
    color: var(--brand-text);
    white-space: pre-wrap;
  }

  .user .line:not(:first-of-type) .bubble {
    border-start-end-radius: var(--joined);
  }

  .user .line:not(:last-of-type) .bubble {
    border-end-end-radius: var(--joined);
  }

  /* Only what takes a while turns paler: a message that is through at once would flicker. */
  .sending .bubble {
    background: var(--brand-quiet);
    color: var(--brand-ink);
    transition:
      background 0s 350ms,
      color 0s 350ms;
  }

  .failed .bubble {
    background: var(--brand-quiet);
    color: var(--brand-ink);
  }

  .bot .long {
    padding: 4px 0;
    border-radius: 0;
    background: none;
  }

  .line:not(:first-of-type) .long {
    padding-block-start: 10px;
  }

  dialoom-choices {
    margin-block-start: 12px;
    padding-inline-start: 36px;
  }

  .fresh {
    animation: arrive var(--slow) var(--ease);
  }

  @keyframes arrive {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }

  .retry {
    min-block-size: 28px;
    margin-block-start: 2px;
    padding: 0 4px;
    border: 0;
    border-radius: 6px;
    background: none;
    color: var(--danger);
    font-size: 12px;
    line-height: 16px;
  }

  .retry b {
    font-weight: 600;
    text-decoration: underline;
    text-underline-offset: 2px;
  }

  .typing {
    display: inline-flex;
    gap: 4px;
    padding: 14px;
    border-radius: var(--round);
    background: var(--raised);
  }

  .typing i {
    inline-size: 7px;
    block-size: 7px;
    border-radius: 50%;
    background: var(--quiet);
    animation: wave 1.2s infinite ease-in-out;
  }

  .typing i:nth-child(2) {
    animation-delay: 160ms;
  }

  .typing i:nth-child(3) {
    animation-delay: 320ms;
  }

  @keyframes wave {
    0%,
    60%,
    100% {
      opacity: 0.4;
    }
    30% {
      opacity: 1;
      transform: translateY(-2px);
    }
  }
`;

export const states = css`
  .hero {
    display: flex;
    flex-direction: column;
    align-items: center;
    gap: 4px;
    margin-block: auto;
    padding-block: 24px;
    text-align: center;
  }

  .hero .avatar {
    --size: 64px;
    margin-block-end: 12px;
  }

  .hero strong {
    font-size: 20px;
    font-weight: 600;
    line-height: 28px;
    letter-spacing: -0.01em;
  }

  .hero p {
    margin: 0;
    max-inline-size: 44ch;
    color: var(--quiet);
    text-wrap: balance;
  }

  .hero .act {
    margin-block-start: 16px;
  }

  .newer {
    position: absolute;
    inset-block-end: 12px;
    inset-inline: 0;
    display: flex;
    justify-content: center;
    pointer-events: none;
  }

  .newer button {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    block-size: 36px;
    padding-inline: 12px 16px;
    border: 1px solid var(--line);
    border-radius: 18px;
    background: light-dark(var(--surface), var(--raised));
    box-shadow: 0 4px 16px var(--shadow);
    font-size: 14px;
    font-weight: 500;
    pointer-events: auto;
    animation: arrive var(--slow) var(--ease);
  }

  .newer svg {
    inline-size: 16px;
    color: var(--brand-ink);
  }

  .newer button:hover {
    background: light-dark(var(--raised), var(--raised-hover));
  }

  .foot {
    flex: none;
    padding-block: 8px calc(16px + env(safe-area-inset-bottom));
  }

  .notice {
    color: var(--quiet);
    font-size: 13px;
    line-height: 18px;
  }

  .notice > div {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 4px 4px 8px;
  }

  .notice > div::before {
    content: "";
    flex: none;
    inline-size: 8px;
    block-size: 8px;
    border-radius: 50%;
    background: var(--danger);
  }

  .notice .soft::before {
    background: var(--line-strong);
    animation: pulse 1.6s infinite ease-in-out;
  }

  @keyframes pulse {
    50% {
      opacity: 0.35;
    }
  }
`;

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
    text-align: start;
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
