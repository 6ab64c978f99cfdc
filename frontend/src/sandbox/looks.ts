// How each platform looks: names, and colours as custom properties of its column. Forms (corners, pills, keyboards) are here
// too, so that a column can be told from its neighbours at a glance.

import { css } from "lit";

export const NAMES: Record<string, string> = {
  "messenger-1": "Messenger",
  "messenger-2": "Viber",
  "messenger-3": "Telegram",
  "workplace-chat": "Teams",
  "voice-assistant": "Alexa",
};

export const looks = css`
  :host {
    --accent: oklch(0.53 0.2 262);
    --ground: var(--surface);
    --user: var(--accent);
    --user-text: oklch(1 0 0);
    --bot: light-dark(oklch(0.945 0.004 264), oklch(0.3 0.01 264));
    --bot-text: var(--text);
    --ink: light-dark(oklch(0.47 0.19 262), oklch(0.78 0.11 255));
    --corner: 18px;
    --tail: 5px;
  }

  :host([platform="messenger-2"]) {
    --accent: oklch(0.49 0.19 297);
    --ground: light-dark(oklch(0.955 0.014 297), oklch(0.185 0.02 297));
    --user: light-dark(oklch(0.895 0.045 297), oklch(0.37 0.09 297));
    --user-text: var(--text);
    --bot: light-dark(oklch(1 0 0), oklch(0.275 0.02 297));
    --ink: light-dark(oklch(0.46 0.19 297), oklch(0.8 0.1 297));
    --corner: 12px;
    --tail: 12px;
  }

  :host([platform="messenger-3"]) {
    --accent: oklch(0.53 0.12 240);
    --ground: light-dark(oklch(0.9 0.035 175), oklch(0.185 0.02 240));
    --user: light-dark(oklch(0.96 0.075 135), oklch(0.39 0.07 245));
    --user-text: var(--text);
    --bot: light-dark(oklch(1 0 0), oklch(0.28 0.025 240));
    --ink: light-dark(oklch(0.45 0.12 245), oklch(0.8 0.09 235));
    --corner: 14px;
    --tail: 3px;
  }

  :host([platform="workplace-chat"]) {
    --accent: oklch(0.46 0.13 280);
    --ground: light-dark(oklch(0.965 0.002 280), oklch(0.2 0.006 280));
    --user: light-dark(oklch(0.935 0.025 280), oklch(0.34 0.055 280));
    --user-text: var(--text);
    --bot: light-dark(oklch(1 0 0), oklch(0.265 0.008 280));
    --ink: light-dark(oklch(0.45 0.15 280), oklch(0.81 0.08 280));
    --corner: 6px;
    --tail: 6px;
  }

  :host([platform="voice-assistant"]) {
    --accent: oklch(0.5 0.1 232);
    --ground: light-dark(oklch(0.975 0.008 232), oklch(0.19 0.025 245));
    --user: transparent;
    --user-text: var(--quiet);
    --bot: transparent;
    --ink: light-dark(oklch(0.44 0.1 232), oklch(0.83 0.1 220));
    --corner: 10px;
    --tail: 10px;
  }
`;
