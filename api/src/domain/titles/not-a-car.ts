import {
  carEvidence,
  carriers,
  isMotorcycle,
  neverFollowers,
  neverWords,
  partFollowers,
  partModifiers,
  partOrigins,
  partWords,
  softWords,
  wantedWords,
} from './title-lists.ts';
import { namesIn, type Span, type Word } from './title-words.ts';

const PART_REACH = 4;

const present = (list: ReadonlySet<string>) => (key: string) => (list.has(key) ? key : undefined);

/** A comma, bar, bullet, bracket or dash between blanks: what follows is said about the car, not its name. */
function endsPhrase(before: string): boolean {
  return /[,;·|()!*:&/]|\.\s|\s[-–—]\s/.test(before);
}

function samePhrase(words: readonly Word[], from: number, to: number): boolean {
  for (let index = from + 1; index <= to; index++) if (endsPhrase(words[index]?.before ?? '')) return false;
  return true;
}

function isCarried(words: readonly Word[], start: number): boolean {
  return [1, 2].some((back) => carriers.has(words[start - back]?.text ?? ''));
}

function isNever(words: readonly Word[], vehicle: Span | null): boolean {
  return namesIn(words, present(neverWords)).some(({ start, end }) => {
    if (neverFollowers.has(words[end]?.text ?? '')) return false;
    return !(vehicle && start >= vehicle.end && isCarried(words, start));
  });
}

function isWanted(words: readonly Word[]): boolean {
  return namesIn(words, present(wantedWords)).some(({ start, found }) => start <= 1 || found === 'wtb');
}

/** A word for a part that tells what kind of whole car it is: `new engine`, `4 door`, `wheel drive`. */
function isTrait(words: readonly Word[], { start, end }: Span, vehicle: Span): boolean {
  const previous = start === vehicle.end ? undefined : words[start - 1];
  if (previous && !endsPhrase(words[start]?.before ?? '') && partModifiers.has(previous.text)) return true;
  if (/^\d+(l|th|nd|rd)?$/.test(previous?.text ?? '') && (previous?.text.length ?? 0) < 4) return true;
  const next = words[end];
  return next !== undefined && !endsPhrase(next.before) && partFollowers.has(next.text);
}

function isPart(words: readonly Word[], vehicle: Span, sure: boolean): boolean {
  const range = words.some(
    ({ text, before }, index) =>
      /^(19|20)?\d\d$/.test(text) && /^\s?[-–]\s?$/.test(before) && /^(19|20)?\d\d$/.test(words[index - 1]?.text ?? ''),
  );
  const evidence = namesIn(words, present(carEvidence)).length > 0;
  return namesIn(words, present(partWords)).some((part) => {
    if (part.start < vehicle.end && vehicle.start < part.end) return false;
    const [from, to] = part.end <= vehicle.start ? [part.start, vehicle.start] : [vehicle.end - 1, part.start];
    if (!sure && !evidence && samePhrase(words, from, to)) return true;
    if (range && !isTrait(words, part, vehicle)) return true;
    const afterward = words.slice(part.end, vehicle.start);
    if (part.end <= vehicle.start) {
      if (afterward.some(({ text }) => partOrigins.has(text))) return !isTrait(words, part, vehicle) || !evidence;
      return !evidence && !isTrait(words, part, vehicle) && samePhrase(words, part.start, vehicle.start);
    }
    if (evidence || isTrait(words, part, vehicle) || isCarried(words, part.start)) return false;
    return part.start - vehicle.end < PART_REACH && samePhrase(words, vehicle.end - 1, part.start);
  });
}

/**
 * Whether a title that names a car sells something else: a part, a toy, a motorcycle, a wish.
 * @param vehicle where make and model stand, from first to last word; null when none is named
 * @param sure whether a year, or make and model both, are written
 */
export function isNotACar(words: readonly Word[], make: string | null, vehicle: Span | null, sure: boolean): boolean {
  if (isNever(words, vehicle) || isWanted(words)) return true;
  if (namesIn(words, (key) => (isMotorcycle(make, key) ? true : undefined)).length > 0) return true;
  if (!vehicle)
    return namesIn(words, (key) => (softWords.has(key) || partWords.has(key) ? true : undefined)).length > 0;
  if (!sure && namesIn(words, present(softWords)).length > 0) return true;
  return isPart(words, vehicle, sure);
}
