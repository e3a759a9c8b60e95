import type { FormKind } from '@lotwatch/api/forms/sources/source-fields';
import type { SourceOrigin, SourceState } from '../../../gql/graphql.ts';
import { plural } from '../../../lib/text/time.ts';
import type { SourceTrial } from './source-documents.ts';

/** What to check where a server refuses who asks, and where it does not know what is asked for. */
const advices: Partial<Record<FormKind, { refused: string; unknown: string }>> = {
  ebay: {
    refused: 'Check both keys: the App ID and the Cert ID of the same keyset, which eBay has enabled for Production.',
    unknown: 'Check the ZIP code, and “Where the API is” under More settings.',
  },
  'vehicle-pages': {
    refused: 'The site turns programs away: ask the dealer to let LotWatch in, or for a feed.',
    unknown: 'Check the address of the site, and of the sitemap if you named one.',
  },
  'json-feed': {
    refused: 'Check the key, and whether it belongs into the header or into the address.',
    unknown: 'Check the address.',
  },
};
const commonAdvice = { refused: 'Check the token.', unknown: 'Check the address.' };

/** How a reader's fault begins; what it is about stands above it already. */
const beginning = /^The (?:source|page) can't be read: (.)/;

/** A fault in words, with what to check where that can be told. */
export const faultText = (fault: string, kind: string): string =>
  fault.replace(beginning, (_, first: string) => first.toUpperCase()) + adviceOn(fault, kind);

function adviceOn(fault: string, kind: string): string {
  const { refused, unknown } = advices[kind as FormKind] ?? commonAdvice;
  if (fault.includes(' inside the own network'))
    return ' If it is yours, switch on “The address is in my own network” under More settings. It is there if SOURCE_PRIVATE_NETWORK is on.';
  if (/ answered 40[13]\b/.test(fault)) return ` ${refused}`;
  if (/ answered 40[04]\b/.test(fault)) return ` ${unknown}`;
  return '';
}

type TrialCounts = Pick<SourceTrial, 'accepted' | 'rejected' | 'placeless' | 'hasMore' | 'fault'>;

/** Title and sentence of a trial's result. */
export function trialWords(
  { accepted, rejected, placeless, hasMore, fault }: TrialCounts,
  kind: FormKind,
): { title: string; text: string; isGood: boolean } {
  const records = accepted + rejected;
  if (fault && records === 0)
    return { title: 'This source could not be read', text: faultText(fault, kind), isGood: false };
  if (records === 0)
    return {
      title: 'There is nothing to read',
      text: 'The server answered, but without a single record. Check the address.',
      isGood: false,
    };
  const read = `${plural(accepted, 'car')} of ${plural(records, 'record')}`;
  if (fault) return { title: `${read}, and then a fault`, text: faultText(fault, kind), isGood: false };
  if (accepted === 0)
    return {
      title: `No car in ${plural(records, 'record')}`,
      text: 'LotWatch read the records, and none of them is a car that it knows. See below why.',
      isGood: false,
    };
  const more = hasMore ? 'This is the beginning; the source has more. ' : '';
  return { title: `We read ${read}`, text: `${more}Nothing of it is stored yet.`, isGood: placeless < accepted };
}

/** The cars that would be stored in vain; null where all have a place. */
export function placelessText({ accepted, placeless }: Pick<SourceTrial, 'accepted' | 'placeless'>): string | null {
  if (placeless === 0) return null;
  const cars = placeless === accepted && placeless > 1 ? `All ${placeless} cars` : plural(placeless, 'car');
  return placeless === 1
    ? `${cars} has no place that is known, and would match no alert.`
    : `${cars} have no place that is known, and would match no alert.`;
}

const originWords: Record<SourceOrigin, string> = {
  browser: '',
  settings: 'From SOURCES_FILE, where it is edited.',
  demo: 'Made-up cars, to try LotWatch.',
  push: 'Your program decides when it sends.',
};

export const originText = (origin: SourceOrigin): string => originWords[origin];

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A lag in a short form: `0.8 s`, `12 s`, `3 min`, `2.5 h`, `4 days`. */
export function lagText(lagMs: number): string {
  if (lagMs < 9950) return `${(lagMs / secondMs).toFixed(1)} s`;
  if (lagMs < minuteMs - 500) return `${Math.round(lagMs / secondMs)} s`;
  if (lagMs < hourMs) return `${Math.floor(lagMs / minuteMs) || 1} min`;
  if (lagMs < dayMs) return `${Number((lagMs / hourMs).toFixed(1))} h`;
  return plural(Math.floor(lagMs / dayMs), 'day');
}

/** `every 5 s`, `every 2 min`, `every 12 h`. */
export function intervalText(seconds: number): string {
  if (seconds < 120) return `every ${Number(seconds.toFixed(1))} s`;
  if (seconds < 7200) return `every ${Math.round(seconds / 60)} min`;
  return `every ${Number((seconds / 3600).toFixed(1))} h`;
}

/** The time until the next poll: `in 12 s`, `in 3 min`; `now` when it is due. */
export function untilText(at: string, now: Date): string {
  const ms = Date.parse(at) - now.getTime();
  if (ms < secondMs) return 'now';
  if (ms < minuteMs) return `in ${Math.floor(ms / secondMs)} s`;
  return ms < hourMs ? `in ${Math.floor(ms / minuteMs)} min` : `in ${Math.floor(ms / hourMs)} h`;
}

export const stateWords: Record<SourceState, string> = {
  waiting: 'Not read yet',
  healthy: 'Healthy',
  degraded: 'Last read failed',
  failing: 'Failing',
  stopped: 'Stopped',
};

const kindWords: Readonly<Record<FormKind | 'push', string>> = {
  'marketplace-items': 'Marketplace items',
  'vehicle-feed': 'Vehicle feed',
  'google-vehicle-feed': 'Google vehicle feed',
  'json-feed': 'JSON feed',
  ebay: 'eBay',
  'vehicle-pages': 'Pages of a dealer’s site',
  push: 'Pushed',
};

/** The name of a kind of sources; one that this version does not know is shown as it is. */
export const kindText = (kind: string): string => (kindWords as Readonly<Record<string, string>>)[kind] ?? kind;
