/** What sellers add to any car, and what says no more than the facts do. */
const idle = new Set(
  `a an the and with for in my of on sale selling must sell obo only low miles mile mileage clean title one owner runs
  run drives great good excellent condition no accidents accident like new nice reduced price drop relisted again firm
  demo used auto automatic manual`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** The words by which a title tells a car from others of its make, model and year. */
export function tellingWords(title: string, known: readonly (string | number | null)[]): Set<string> {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const stated = new Set(
    known.flatMap(
      (one) =>
        String(one ?? '')
          .toLowerCase()
          .match(/[\p{L}\p{N}]+/gu) ?? [],
    ),
  );
  return new Set(words.filter((word) => !stated.has(word) && !idle.has(word)));
}

/** `equal`: the same words in any order; `within`: one says more than the other; `apart`: each says its own. */
export type TitleLikeness = 'equal' | 'within' | 'apart';

/** How like two titles are, by their sets of words. */
export function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): TitleLikeness {
  const shared = [...a].filter((word) => b.has(word)).length;
  if (shared === a.size && shared === b.size) return 'equal';
  return shared === a.size || shared === b.size ? 'within' : 'apart';
}
