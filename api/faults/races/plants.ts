import type { Statement } from './unquiet-clients.ts';

/** Defects that a race must find, each put into the statements on their way to the database. */
export const plants = {
  /** Searches from alerts and from listings run beside each other. */
  'no-match-lock': (one: Statement) => replace(one, /pg_advisory_xact_lock(_shared)?\(7401\)/, 'now()'),
  /** A listing may change while it is being searched for. */
  'no-listing-claim': (one: Statement) =>
    replace(one, /(from listings l where l\.pending_match.*) for update.*/s, '$1'),
  /** Two searches for one car don't wait for each other. */
  'no-car-lock': (one: Statement) => replace(one, /pg_advisory_xact_lock\(7402, key\)/, 'key'),
  /** An edited or woken alert does not look back. */
  'edit-without-mark': (one: Statement) => withoutMark(one),
  /** Parallel creates count beside each other. */
  'no-limit-lock': (one: Statement) => replace(one, /(select id from users where id = \S+) for update/, '$1'),
  /** A listing's mark is cleared before anybody has searched. */
  'mark-cleared-early': (one: Statement) => clearedEarly(one),
  /** The claim does not look whether the alert still watches. */
  'no-look': (one: Statement) =>
    replace(one, /a\.is_active and a\.expires_at > now\(\) as watching/, 'true as watching'),
  /** Two senders may claim what waits for one alert. */
  'no-mail-lock': (one: Statement) => replace(one, /for no key update of a skip locked/, ''),
} satisfies Record<string, (one: Statement) => Statement>;

export type Plant = keyof typeof plants;

export const isPlant = (name: string): name is Plant => Object.hasOwn(plants, name);

function replace(one: Statement, pattern: RegExp, by: string): Statement {
  return pattern.test(one.text) ? { ...one, text: one.text.replace(pattern, by) } : one;
}

/** The ORM's update of an alert that sets the mark: its value is one of the parameters. */
function withoutMark(one: Statement): Statement {
  const place = /^update "?alerts"? .*"pending_match" = \$(\d+)/s.exec(one.text)?.[1];
  if (place === undefined) return replace(one, /^(update "?alerts"? .*"pending_match" = )true/s, '$1false');
  return { ...one, values: one.values.with(Number(place) - 1, false) };
}

/** Whoever stores a listing clears its mark in half of all cases, as if a search had been there before the commit. */
function clearedEarly(one: Statement): Statement {
  return replace(one, /pending_match = r\.status = 'for_sale'/, 'pending_match = false');
}

/** Puts the defect in, and counts how often: a plant that found no statement shows nothing. */
export function makePlanter(plant: Plant | null) {
  let planted = 0;
  return {
    planted: () => planted,
    rewrite(one: Statement): Statement {
      if (plant === null) return one;
      const changed = plants[plant](one);
      if (changed !== one) planted += 1;
      return changed;
    },
  };
}
