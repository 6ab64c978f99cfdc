// A map of the surroundings of a point, from the squares of the source that the operator has named; nothing without one.
// For the eye alone: the point is read back in words beside it.

import { css, html, pin } from "../shared-with-dialogs";
import type { TileSource } from "../protocol/wire";

/** Pixels of a side of a square. */
const SIDE = 256;
/** Streets can be read, and the quarter is in sight. */
const ZOOM = 15;
/** The projection ends here, and so do the squares. */
const MAX_LATITUDE = 85.0511;

export const mapStyles = css`
  figure {
    margin: 0;
  }

  .map {
    position: relative;
    block-size: 168px;
    border-radius: 12px;
    background: var(--raised);
    overflow: hidden;
    direction: ltr;
  }

  .map img {
    position: absolute;
    inline-size: 256px;
    block-size: 256px;
    max-inline-size: none;
  }

  .map .here {
    position: absolute;
    inset-block-start: 50%;
    inset-inline-start: 50%;
    display: block;
    color: oklch(0.25 0.02 264);
    transform: translate(-50%, -100%);
  }

  .here svg {
    display: block;
    inline-size: 32px;
    block-size: 32px;
    fill: oklch(1 0 0);
  }

  figcaption {
    margin: 4px 2px 0;
    color: var(--quiet);
    font-size: 12px;
    line-height: 16px;
  }
`;

export interface Tile {
  readonly x: number;
  readonly y: number;
  /** Pixels from the point to the square's corner, to the right and down. */
  readonly left: number;
  readonly top: number;
}

/** The squares around a point, in the Web Mercator projection (EPSG:3857) that tile sources have. */
export function tilesAround(latitude: number, longitude: number, zoom: number = ZOOM): Tile[] {
  const count = 2 ** zoom;
  const angle = (Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * Math.PI) / 180;
  const across = ((longitude + 180) / 360) * count;
  const down = ((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * count;
  const columns = [-1, 0, 1].map((step) => Math.floor(across) + step);
  const rows = [-1, 0, 1].map((step) => Math.floor(down) + step).filter((y) => y >= 0 && y < count);
  return rows.flatMap((y) =>
    columns.map((x) => ({ x: (x + count) % count, y, left: Math.round((x - across) * SIDE), top: Math.round((y - down) * SIDE) })),
  );
}

export function drawMap(source: TileSource, latitude: number, longitude: number, label: string): unknown {
  const address = ({ x, y }: Tile) => {
    const values: Readonly<Record<string, number>> = { x, y, z: ZOOM };
    return source.tiles.replace(/\{([xyz])\}/g, (_, name: string) => String(values[name]));
  };
  return html`<figure>
    <div class="map" role="img" aria-label=${label}>
      ${tilesAround(latitude, longitude).map(
        (tile) => html`<img
          src=${address(tile)}
          alt=""
          decoding="async"
          referrerpolicy="strict-origin-when-cross-origin"
          .style=${`left:calc(50% + ${tile.left}px);top:calc(50% + ${tile.top}px)`}
        />`,
      )}
      <span class="here">${pin}</span>
    </div>
    ${source.attribution ? html`<figcaption dir="auto">${source.attribution}</figcaption>` : ""}
  </figure>`;
}
