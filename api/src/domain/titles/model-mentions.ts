import { ambiguousModels, type Span, type Word } from './title-words.ts';
import { findModel, type ModelName, modelOfChassis } from './vehicle-names.ts';

/** Whether a name may be an ordinary word or number, so that it counts only beside its make. */
export function isAmbiguous(key: string): boolean {
  return ambiguousModels.has(key) || /^([a-z]{1,2}|\d+)$/.test(key);
}

/** What reduces the score of a chassis code beside a name. */
const CHASSIS_PENALTY = 30;

export interface ModelMention extends Span {
  model: ModelName;
  key: string;
  /** The penalty for a chassis code. */
  penalty: number;
  /** Whether it contains another model's name: `Mustang Shelby GT500`. */
  longer: boolean;
}

/** All names of a make's models in the words, including names within longer ones. */
export function modelMentions(words: readonly Word[], make: string): ModelMention[] {
  const all: ModelMention[] = [];
  for (const [start, { keys }] of words.entries()) {
    for (const [more, key] of keys.entries()) {
      const model = findModel(make, key, more === 0);
      const ofCode = model === undefined ? modelOfChassis(make, key) : undefined;
      const named = model === undefined ? ofCode : model;
      if (named === undefined || endsWithin(words, start + more)) continue;
      const penalty = ofCode === undefined ? 0 : CHASSIS_PENALTY;
      all.push({ start, end: start + more + 1, model: named, key, penalty, longer: false });
    }
  }
  const isPartOf = (short: Span, long: Span) =>
    long.start <= short.start && short.end <= long.end && long.end - long.start > short.end - short.start;
  return all
    .filter((mention) => !isAmbiguous(mention.key) || !all.some((long) => isPartOf(mention, long)))
    .map((mention) => ({
      ...mention,
      longer: all.some((short) => isPartOf(short, mention) && !isAmbiguous(short.key)),
    }));
}

/**
 * Whether a name would end with what belongs to the next word: the X5 of `X5 M package` is no X5 M, and `x 2.25` no X2.
 */
function endsWithin(words: readonly Word[], last: number): boolean {
  const next = words[last + 1];
  if (next === undefined) return false;
  if (next.before === '.' && /^\d{2}/.test(next.text)) return /^\d$/.test(words[last]?.text ?? '');
  return words[last]?.text === 'm' && /^[\s-]*$/.test(next.before) && packages.has(next.text);
}
const packages: ReadonlySet<string> = new Set([
  'package',
  'packages',
  'pack',
  'pkg',
  'sport',
  'sports',
  'line',
  'trim',
]);
