import type { SourceOrigin } from '../../../gql/graphql.ts';
import { plural } from '../../../lib/text/time.ts';
import type { SourceTrial } from './source-documents.ts';

/** What to check after a fault, where it can be told. */
function adviceOn(fault: string): string {
  if (/ answered 40[13]\b/.test(fault)) return ' Check the token.';
  if (/ answered 40[04]\b/.test(fault)) return ' Check the address.';
  return '';
}

/** Title and sentence of a trial's result. */
export function trialWords({ accepted, rejected, hasMore, fault }: SourceTrial): {
  title: string;
  text: string;
  isGood: boolean;
} {
  const records = accepted + rejected;
  if (fault && records === 0)
    return { title: 'This source could not be read', text: fault + adviceOn(fault), isGood: false };
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
