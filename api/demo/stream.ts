import { type DemoCar, guaranteedCamry, randomCar } from './car.ts';
import { Dice, hash } from './random.ts';

/** A stream of items, which follow from two numbers with their times. */
export interface DemoStream {
  seed: number;
  perSecond: number;
}

/** The car at a position of the stream, or the change of an earlier one there. */
export type DemoEvent =
  | { kind: 'listed'; promised: boolean }
  | { kind: 'bad' }
  | { kind: 'drop' | 'sold' | 'relisted'; of: number };

const EPOCH_MS = Date.UTC(2026, 0, 1);
/** All but two positions of a block list an item; those two change items from a whole block before. */
const BLOCK = 24;
const DROP = { slot: 7, first: 0, last: 6, blocksBack: 10 };
const END = { slot: 19, first: 8, last: 18, blocksBack: 14 };
/** Seconds from one promised Camry to the next; 10 are promised. */
const PROMISE_SECONDS = 9;

/** The newest position at a time. */
export function topPosition(stream: DemoStream, now: Date): number {
  return Math.max(0, Math.floor(((now.getTime() - EPOCH_MS) / 1000) * stream.perSecond));
}

export function listedAt(stream: DemoStream, position: number): Date {
  return new Date(EPOCH_MS + Math.ceil((position / stream.perSecond) * 1000));
}

function isPromised({ perSecond }: DemoStream, position: number): boolean {
  return position % Math.max(1, Math.floor(PROMISE_SECONDS * perSecond)) === 0;
}

const isBad = (stream: DemoStream, position: number) => hash(stream.seed, position, 7) % 100 < 3;

/** The position at which the car of a position is changed, if it ever is. */
function changeOf(stream: DemoStream, position: number): number | null {
  const slot = position % BLOCK;
  const rule = [DROP, END].find(({ first, last }) => slot >= first && slot <= last);
  if (!rule) return null;
  const change = (Math.floor(position / BLOCK) + rule.blocksBack) * BLOCK + rule.slot;
  const happening = eventAt(stream, change);
  return 'of' in happening && happening.of === position ? change : null;
}

/** The content of a position of the stream; a pure function of the stream's two numbers. */
export function eventAt(stream: DemoStream, position: number): DemoEvent {
  if (isPromised(stream, position)) return { kind: 'listed', promised: true };
  const rule = [DROP, END].find(({ slot }) => slot === position % BLOCK);
  if (!rule) return isBad(stream, position) ? { kind: 'bad' } : { kind: 'listed', promised: false };
  const dice = new Dice(stream.seed, position, 3);
  const of = (Math.floor(position / BLOCK) - rule.blocksBack) * BLOCK + dice.whole(rule.first, rule.last);
  const target = of >= 0 && (isPromised(stream, of) || !isBad(stream, of));
  const kind = rule === DROP ? 'drop' : dice.chance(0.6) ? 'sold' : 'relisted';
  if (!target || (kind === 'sold' && isPromised(stream, of))) return { kind: 'listed', promised: false };
  return { kind, of };
}

/** The car drawn for a position, whether or not it is listed properly. */
export function carAt(stream: DemoStream, position: number): DemoCar {
  const year = listedAt(stream, position).getUTCFullYear();
  return (isPromised(stream, position) ? guaranteedCamry : randomCar)(stream.seed, position, year);
}

export interface Offer {
  /** The position of the id, photos and title. */
  position: number;
  /** The position at which the car itself was drawn: another one for a relisted car. */
  origin: number;
  promised: boolean;
  car: DemoCar;
  price: number;
  priceBefore: number | null;
  sold: boolean;
}

/** The car of a position in its state when the stream has reached `top`; null when none was listed there. */
export function offerAt(stream: DemoStream, position: number, top: number): Offer | null {
  const happening = eventAt(stream, position);
  if (happening.kind !== 'listed' && happening.kind !== 'relisted') return null;
  const origin = happening.kind === 'relisted' ? happening.of : position;
  const car = carAt(stream, origin);
  const promised = happening.kind === 'listed' && happening.promised;
  const base = { position, origin, promised, car, price: car.price, priceBefore: null, sold: false };
  const change = happening.kind === 'listed' ? changeOf(stream, position) : null;
  if (change === null || change > top) return base;
  const { kind } = eventAt(stream, change);
  if (kind === 'sold') return { ...base, sold: true };
  if (kind !== 'drop') return base;
  const cut = new Dice(stream.seed, change, 4).between(0.05, 0.15);
  const price = Math.max(500, Math.floor((car.price * (1 - cut)) / 50) * 50);
  return { ...base, price, priceBefore: car.price };
}

/** An entry of the marketplace's list: an offer, or a malformed record. */
export type Entry = { kind: 'offer'; offer: Offer } | { kind: 'bad'; position: number };

/** How many positions the list has: 400, and at high rates those of half a minute. */
export function windowSize({ perSecond }: DemoStream): number {
  return Math.max(400, Math.ceil(perSecond * 30));
}

/** The list, newest first; a changed offer is at the position of its change, once. */
export function newestEntries(stream: DemoStream, top: number, offset: number, limit: number): Entry[] {
  const entries: Entry[] = [];
  const moved = new Set<number>();
  let index = 0;
  for (let position = top; position >= 0 && position > top - windowSize(stream); position--) {
    const happening = eventAt(stream, position);
    const changed = happening.kind === 'drop' || happening.kind === 'sold';
    if (changed) moved.add(happening.of);
    else if (moved.has(position)) continue;
    if (index++ < offset) continue;
    const offer = offerAt(stream, changed ? happening.of : position, top);
    entries.push(offer ? { kind: 'offer', offer } : { kind: 'bad', position });
    if (entries.length === limit) break;
  }
  return entries;
}
