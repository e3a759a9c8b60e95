import { type SpecText, specTexts } from '../spec-texts.ts';
import type { State } from '../state.ts';

/** A text to look for: its name, and what it looks like on the page. */
export interface Wanted {
  text: string;
  shown: RegExp | undefined;
}

const known = new Map<string, SpecText>(specTexts.map((one) => [one.text, one]));

/** What a state's page must show. */
export function wantedOf({ texts, also = [] }: State): Wanted[] {
  return [
    ...texts.map((text) => ({ text, shown: known.get(text)?.shown })),
    ...also.map((one) => (typeof one === 'string' ? { text: one, shown: undefined } : { text: `${one}`, shown: one })),
  ];
}

/** Those of `wanted` that none of a page's texts is. */
export function notShown(wanted: readonly Wanted[], texts: readonly string[]): Wanted[] {
  const whole = new Set(texts);
  return wanted.filter(({ text, shown }) => (shown ? !texts.some((one) => shown.test(one)) : !whole.has(text)));
}
