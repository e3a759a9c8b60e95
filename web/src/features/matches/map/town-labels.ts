import type { Box, Miles } from './chart.ts';
import { overlap } from './chart.ts';
import type { Town } from './outlines.ts';

type ToScreen = (at: Miles) => Miles;

interface Screen {
  width: number;
  height: number;
}

/** A name on the screen, in pixels. */
export interface MapLabel {
  kind: 'state' | 'large' | 'town';
  name: string;
  /** The point of a town. */
  dot: Miles | null;
  /** The middle of its text's baseline. */
  text: Miles;
}

const LETTER_PX = { state: 9.4, large: 6.8, town: 6.4 };
const LINE_PX = 14;
const LARGE_TOWN = 100_000;

/** Where the text of a town may stand, as the offset of its middle from the point. */
const sides = (width: number): Miles[] => [
  [0, 15],
  [width / 2 + 8, 4],
  [-width / 2 - 8, 4],
  [0, -8],
  [0, 28],
];

/** Keeps texts apart from one another and from what they must not cover. */
class Room {
  readonly #taken: Box[];

  constructor(
    private readonly screen: Screen,
    obstacles: readonly Box[],
  ) {
    this.#taken = [...obstacles];
  }

  holds = ([x, y]: Miles): boolean => x > 0 && y > 0 && x < this.screen.width && y < this.screen.height;

  /** Takes the first of the places that is free. */
  take(places: readonly Miles[], width: number): Miles | undefined {
    const boxOf = ([x, y]: Miles): Box => [x - width / 2 - 3, y - LINE_PX + 2, x + width / 2 + 3, y + 4];
    const place = places.find((one) => {
      const box = boxOf(one);
      const isInside = box[0] > 2 && box[1] > 2 && box[2] < this.screen.width - 2 && box[3] < this.screen.height - 2;
      return isInside && !this.#taken.some((other) => overlap(box, other));
    });
    if (place) this.#taken.push(boxOf(place));
    return place;
  }
}

/** The most towns whose positions tell where a state's name may stand. */
const ANCHORS = 40;

/** Names the states where towns of several are in view: near the middle of its towns, which is within it. */
function labelStates(towns: readonly Town[], names: ReadonlyMap<string, string>, toScreen: ToScreen, room: Room) {
  const inView = Map.groupBy(
    towns.filter(({ at }) => room.holds(toScreen(at))),
    ({ state }) => state,
  );
  if (inView.size < 2) return [];
  return [...inView].flatMap(([state, all]): MapLabel[] => {
    const name = names.get(state);
    if (!name) return [];
    const points = all.slice(0, ANCHORS).map(({ at }) => toScreen(at));
    const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / points.length);
    const far = ([x, y]: Miles) => Math.hypot(x - (middle[0] ?? 0), y - (middle[1] ?? 0));
    const places = points.sort((a, b) => far(a) - far(b)).map(([x, y]): Miles => [x, y - 12]);
    const text = room.take(places, name.length * LETTER_PX.state);
    return text ? [{ kind: 'state', name, dot: null, text }] : [];
  });
}

/**
 * Chooses what is named: the alert's place, the states where several are in view, and the largest towns whose names
 * cover no other name and no obstacle.
 * @param center the town in the middle
 * @param towns largest first
 * @param states the names of the states by their number
 * @param obstacles what the names must not cover, in pixels
 */
export function placeLabels(
  { center, towns, states }: { center: Town; towns: readonly Town[]; states: ReadonlyMap<string, string> },
  toScreen: ToScreen,
  screen: Screen,
  obstacles: readonly Box[],
): MapLabel[] {
  const room = new Room(screen, obstacles);
  const most = Math.min(24, Math.max(4, Math.round((screen.width * screen.height) / 16_000)));
  const labelTown = ({ name, at, population }: Town): MapLabel[] => {
    const [x, y] = toScreen(at);
    if (!room.holds([x, y])) return [];
    const kind = population >= LARGE_TOWN ? 'large' : 'town';
    const width = name.length * LETTER_PX[kind];
    const text = room.take(
      sides(width).map(([dx, dy]): Miles => [x + dx, y + dy]),
      width,
    );
    return text ? [{ kind, name, dot: [x, y], text }] : [];
  };
  const labels = [...labelTown(center), ...labelStates(towns, states, toScreen, room)];
  let left = most;
  for (const town of towns) {
    if (left === 0) break;
    const label = labelTown(town);
    labels.push(...label);
    left -= label.length;
  }
  return labels;
}
