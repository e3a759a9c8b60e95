import { describe, expect, it, test } from 'vitest';
import { channelName, summaryOf, tooFew } from './status-words.ts';

const source = (state: 'healthy' | 'degraded' | 'failing' | 'waiting') => ({ state });

describe('the summary', () => {
  test.each([
    [[source('healthy'), source('waiting')], 0, 'Everything works', 'good'],
    [[], 0, 'Nothing to report yet', 'late'],
    [[source('healthy'), source('degraded')], 0, 'One source is late', 'late'],
    [[source('degraded'), source('degraded')], 0, '2 sources are late', 'late'],
    [[source('degraded'), source('failing')], 1, 'There is a problem', 'bad'],
    [[source('failing'), source('failing')], 2, 'There are 2 problems', 'bad'],
  ])('of %j with %i incidents is %s', (sources, incidents, title, tone) => {
    expect(summaryOf({ sources, incidents: Array(incidents).fill({}) })).toMatchObject({ title, tone });
  });
});

it('says why there are no figures', () => {
  expect(tooFew(0, 'match', 'matches')).toBe('No matches yet');
  expect(tooFew(1, 'match', 'matches')).toBe('1 match, too few for a figure');
  expect(tooFew(12, 'new listing')).toBe('12 new listings, too few for a figure');
});

it('names channels, and leaves a name that it does not know', () => {
  expect(['email', 'sms', 'pigeon'].map(channelName)).toEqual(['Mail', 'Text message', 'pigeon']);
});
