import type { About, Found } from './found.ts';
import { Gap, gapBefore, type SellerText, setOf, wordAt } from './seller-text.ts';

const COLON = 58;

/** The words of a magazine's judgement of the whole series: `Reviews: * … Source: …`. */
function reviews({ words, ends, plain }: SellerText): { from: number; to: number } | null {
  const from = words.indexOf('reviews');
  if (from < 0 || plain.charCodeAt(ends[from] ?? 0) !== COLON) return null;
  const last = words.lastIndexOf('source');
  return { from, to: last > from ? last : words.length };
}

const listed = setOf(
  'selection specialize specializing specialty excluding surcharges lineup choices options requires',
);
const MAX_BACK = 12;
const MAX_NEAR = 4;

/** `only available with (LZ0) Duramax`, `excluding diesel`, `our selection of Duramax and Cummins trucks` */
function isListed(text: SellerText, index: number): boolean {
  for (let at = index; at > index - MAX_BACK && at > 0; at--) {
    const gap = gapBefore(text, at);
    if (gap === Gap.stop || gap === Gap.colon) return false;
    const word = wordAt(text, at - 1);
    if (listed.has(word) || (word === 'available' && wordAt(text, at) === 'with')) return true;
  }
  return false;
}

/** The fuels that are said of this car, and not of its series, of an option or of what a dealer sells besides. */
export function ownFuels(text: SellerText, all: readonly Found<string>[]): Found<string>[] {
  if (all.length === 0) return [];
  const judged = reviews(text);
  return all.filter(({ from }) => !(judged && from > judged.from && from < judged.to) && !isListed(text, from));
}

const engines = setOf('diesel turbo turbodiesel engine motor swap swapped powered 12v 24v 5.9 5.9l 6.7 6.7l i6 inline');

/** Whether Cummins is the engine, and not a dealer's name: beside words of an engine, or in a car that has it. */
export function isEngineName(text: SellerText, index: number, { own }: About): boolean {
  if (own.size === 0 || own.has('ram') || own.has('dodge')) return true;
  for (let at = index - 3; at <= index + 3; at++) if (engines.has(wordAt(text, at))) return true;
  return false;
}

const and = setOf('and with plus an a');

/** `a gas engine and an electric motor` */
export function isWithMotor(text: SellerText, { to }: Found<string>): boolean {
  for (let at = to; at < to + MAX_NEAR + 1 && gapBefore(text, at) <= Gap.comma; at++) {
    if (wordAt(text, at) === 'electric')
      return wordAt(text, at + 1).startsWith('motor') && and.has(wordAt(text, at - 1));
  }
  return false;
}

const motors = /^(?:dual|twin|triple|quad|ac)$/;
const burnt = setOf('gas gasoline petrol hybrid hybrids plug plugin phev diesel unleaded flex e85');

/**
 * Where `single-speed automatic electric motor` stands; hybrids, and cars with a starter of 48 volts, have such a motor
 * beside their engine and say so.
 */
export function electricMotor(text: SellerText): Found<string> | null {
  for (const index of text.found.fuel) if (burnt.has(wordAt(text, index))) return null;
  for (const index of text.found.fuel) {
    const next = wordAt(text, index + 1);
    if (wordAt(text, index) !== 'electric' || (next !== 'motor' && next !== 'motors')) continue;
    const before = wordAt(text, index - 1);
    if (motors.test(before)) return { value: 'electric', from: index - 1, to: index + 2 };
    for (let at = index - MAX_NEAR; at <= index + MAX_NEAR; at++) {
      const word = wordAt(text, at);
      const isOne = word === 'single' || word === '1';
      if (isOne && wordAt(text, at + 1) === 'speed') return { value: 'electric', from: index, to: index + 2 };
    }
  }
  return null;
}
