import type { SourceState } from '../../gql/graphql.ts';
import { plural } from '../../lib/text/time.ts';

/** What the words of the page need of the status. */
interface Told {
  sources: readonly { state: SourceState }[];
  incidents: readonly unknown[];
}

export interface Summary {
  title: string;
  text: string;
  tone: 'good' | 'late' | 'bad';
}

/** The status as a whole, in a title and a sentence. */
export function summaryOf({ sources, incidents }: Told): Summary {
  const late = sources.filter(({ state }) => state === 'degraded').length;
  if (incidents.length > 0) {
    const title = incidents.length === 1 ? 'There is a problem' : `There are ${incidents.length} problems`;
    return { title, text: 'Everything that is not listed here works.', tone: 'bad' };
  }
  if (late > 0) {
    return {
      title: late === 1 ? 'One source is late' : `${late} sources are late`,
      text: `The last read failed, and we try again by ourselves. ${late === 1 ? 'Its' : 'Their'} new cars arrive with the next read.`,
      tone: 'late',
    };
  }
  if (sources.length === 0) {
    return { title: 'Nothing to report yet', text: 'The figures come with the first source.', tone: 'late' };
  }
  return { title: 'Everything works', text: 'All sources are read, and messages leave on time.', tone: 'good' };
}

/** A source's state, as everybody may know it. */
export const publicStateWords: Readonly<Record<SourceState, string>> = {
  waiting: 'Not read yet',
  healthy: 'Works',
  degraded: 'Late',
  failing: 'Cannot be read',
  stopped: 'No longer read',
};

const channelNames: Readonly<Record<string, string>> = {
  email: 'Mail',
  sms: 'Text message',
  push: 'Push notification',
};

export const channelName = (channel: string): string => channelNames[channel] ?? channel;

/** The title of an incident: its source, or its channel. */
export const subjectName = channelName;

/** Why a row has no figures: `12 new listings, too few for a figure`. */
export function tooFew(count: number, one: string, many?: string): string {
  return count === 0 ? `No ${many ?? `${one}s`} yet` : `${plural(count, one, many)}, too few for a figure`;
}
