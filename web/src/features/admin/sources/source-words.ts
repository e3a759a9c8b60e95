import type { FormKind } from '@lotwatch/api/forms/sources/source-fields';
import type { SourceOrigin } from '../../../gql/graphql.ts';
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

/** What to check after a fault, where it can be told. */
function adviceOn(fault: string, kind: FormKind): string {
  const { refused, unknown } = advices[kind] ?? commonAdvice;
  if (/ answered 40[13]\b/.test(fault)) return ` ${refused}`;
  if (/ answered 40[04]\b/.test(fault)) return ` ${unknown}`;
  return '';
}

/** Title and sentence of a trial's result. */
export function trialWords(
  { accepted, rejected, hasMore, fault }: Pick<SourceTrial, 'accepted' | 'rejected' | 'hasMore' | 'fault'>,
  kind: FormKind,
): { title: string; text: string; isGood: boolean } {
  const records = accepted + rejected;
  if (fault && records === 0)
    return { title: 'This source could not be read', text: fault + adviceOn(fault, kind), isGood: false };
  if (records === 0)
    return {
      title: 'There is nothing to read',
      text: 'The server answered, but without a single record. Check the address.',
      isGood: false,
    };
  const read = `${plural(accepted, 'car')} of ${plural(records, 'record')}`;
  if (fault) return { title: `${read}, and then a fault`, text: fault, isGood: false };
  if (accepted === 0)
    return {
      title: `No car in ${plural(records, 'record')}`,
      text: 'LotWatch read the records, and none of them is a car that it knows. See below why.',
      isGood: false,
    };
  const more = hasMore ? 'This is the beginning; the source has more. ' : '';
  return { title: `We read ${read}`, text: `${more}Nothing of it is stored yet.`, isGood: true };
}

const originWords: Record<SourceOrigin, string> = {
  browser: '',
  settings: 'From SOURCES_FILE, where it is edited.',
  demo: 'Made-up cars, to try LotWatch.',
  push: 'Your program decides when it sends.',
};

export const originText = (origin: SourceOrigin): string => originWords[origin];
