import type { Box, Miles } from './chart.ts';
import { overlap } from './chart.ts';
import type { Town } from './outlines.ts';

/** The name of a town on the screen, in pixels. */
export interface TownLabel {
  name: string;
  /** Its point. */
  dot: Miles;
  /** The middle of its text's baseline. */
  text: Miles;
  isLarge: boolean;
}

const LETTER_PX = 6.4;
const LINE_PX = 14;
const LARGE_TOWN = 100_000;

/** Where a text may stand, as the offset of its middle from the town. */
const sides = (width: number): Miles[] => [
  [0, 15],
  [width / 2 + 8, 4],
  [-width / 2 - 8, 4],
  [0, -8],
  [0, 28],
];

/**
 * Chooses which towns are named: the largest in view whose names cover no other name and no obstacle.
 * @param towns largest first
 * @param obstacles what the names must not cover, in pixels
 */
export function placeLabels(
  towns: readonly Town[],
  toScreen: (at: Miles) => Miles,
  screen: { width: number; height: number },
  obstacles: readonly Box[],
): TownLabel[] {
  const most = Math.min(24, Math.max(4, Math.round((screen.width * screen.height) / 16_000)));
  const taken: Box[] = [...obstacles];
  const labels: TownLabel[] = [];
  for (const { name, at, population } of towns) {
    if (labels.length >= most) break;
    const [x, y] = toScreen(at);
    if (!(x > 0 && y > 0 && x < screen.width && y < screen.height)) continue;
    const width = name.length * LETTER_PX;
    const boxAt = ([dx, dy]: Miles): Box => [
      x + dx - width / 2 - 3,
      y + dy - LINE_PX + 2,
      x + dx + width / 2 + 3,
      y + dy + 4,
    ];
    const side = sides(width).find((offset) => {
      const box = boxAt(offset);
      const isInside = box[0] > 2 && box[1] > 2 && box[2] < screen.width - 2 && box[3] < screen.height - 2;
      return isInside && !taken.some((other) => overlap(box, other));
    });
    if (!side) continue;
    taken.push(boxAt(side));
    labels.push({ name, dot: [x, y], text: [x + side[0], y + side[1]], isLarge: population >= LARGE_TOWN });
  }
  return labels;
}
