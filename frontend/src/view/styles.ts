// The styles of the chat: head, list of messages, bubbles, typing dots, lines of state. Colours come from the tokens.

import { css } from "lit";

export const layout = css`
  /* Whatever the page says of all its elements, this one stands there. */
  :host(:not([hidden])) {
    display: block !important;
    block-size: 100% !important;
    min-block-size: 0 !important;
  }

  .chat {
    /* Nothing is inherited from the page but where the text runs and the custom properties. */
    all: initial;
    box-sizing: border-box;
    color-scheme: inherit;
    background: var(--surface);
    color: var(--text);
    font: 400 15px/22px var(--font);
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
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
    position: relative;
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
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    object-fit: cover;
  }

  .head .avatar {
    --size: 36px;
  }

  .body {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-block-size: 0;
  }

  .scroller {
    /* What is placed inside, such as texts for screen readers, scrolls here: else the whole chat could be scrolled away. */
    position: relative;
    flex: 1;
    min-block-size: 0;
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

  .who {
    margin-block: 12px 2px;
    padding-inline: 36px 16px;
    color: var(--quiet);
    font-size: 12px;
    line-height: 16px;
  }

  .who + .group,
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
    /* Marks piled on letters stay inside; the focus ring of a link has its room. */
    overflow: clip;
    overflow-clip-margin: 6px;
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
    box-shadow: inset 0 0 0 1px var(--brand-edge);
    white-space: pre-wrap;
    /* Each line by its own first letter. */
    unicode-bidi: plaintext;
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

  /* Pale already: an edge would make it a button. */
  :is(.sending, .failed) .bubble {
    box-shadow: none;
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
    min-block-size: var(--small-target);
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

  @media (forced-colors: active) {
    .bubble,
    .typing {
      border: 1px solid;
    }

    .user .bubble {
      border-color: Highlight;
    }

    .bot .long {
      border: 0;
    }

    .typing i {
      background: CanvasText;
    }

    .avatar {
      border: 1px solid;
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

  /* In a row of its own: over the list it would lie on texts and buttons. */
  .newer {
    flex: none;
    display: flex;
    justify-content: center;
    padding-block: 4px;
  }

  .newer button {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    block-size: var(--target);
    padding-inline: 12px 16px;
    border: 1px solid var(--line);
    border-radius: 22px;
    background: light-dark(var(--surface), var(--raised));
    box-shadow: 0 4px 16px var(--shadow);
    font-size: 14px;
    font-weight: 500;
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
    align-items: flex-start;
    gap: 8px;
    padding: 4px 4px 8px;
  }

  /* As high as a finger needs, in lines no higher than the others. */
  .notice .again {
    margin-block: calc((18px - var(--small-target)) / 2);
    padding: calc((var(--small-target) - 18px) / 2) 0;
    border: 0;
    border-radius: 6px;
    background: none;
    color: var(--brand-ink);
    font-weight: 500;
    text-decoration: underline;
    text-underline-offset: 2px;
  }

  .notice > div::before {
    content: "";
    flex: none;
    inline-size: 8px;
    block-size: 8px;
    margin-block-start: 5px;
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

  @media (forced-colors: active) {
    .notice > :is(div, .soft)::before {
      background: CanvasText;
    }
  }

  /* Zoomed to 400 %, or a keyboard over a phone on its side: the room is for what is said. */
  @media (max-height: 360px) {
    .head .column {
      min-block-size: 40px;
    }

    .head .avatar {
      --size: 24px;
    }

    .list {
      padding-block: 8px;
    }

    .foot {
      padding-block: 4px calc(4px + env(safe-area-inset-bottom));
    }

    .notice > div {
      padding-block: 0 4px;
    }

    .hero {
      padding-block: 4px;
    }

    /* The name stands in the head as well. */
    .hero :is(.avatar, .bot) {
      display: none;
    }

    .hero strong {
      font-size: 15px;
      line-height: 20px;
    }

    .hero .act {
      margin-block-start: 4px;
    }

    /* A row less would leave no room to read: there is a margin beside the list instead, which keeps its width. */
    .body {
      position: relative;
    }

    .list {
      padding-inline-end: calc(var(--target) + 8px);
    }

    .group.bot {
      padding-inline-end: 0;
    }

    .newer {
      position: absolute;
      inset-block-end: 4px;
      inset-inline-end: 4px;
      padding: 0;
    }

    .newer button {
      inline-size: var(--target);
      justify-content: center;
      padding: 0;
      overflow: hidden;
      font-size: 0;
    }

    .newer svg {
      flex: none;
    }
  }
`;
