import type { Page } from 'playwright-core';
import { answering, failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';

const page = { path: '/status', who: 'visitor', texts: [] } as const;

const before = (ms: number): string => new Date(Date.now() - ms).toISOString();

const source = (name: string, more: object = {}) => ({
  __typename: 'SourceStatus',
  name,
  state: 'healthy',
  lastSuccessAt: before(4_000),
  lagP50Ms: 2_140,
  lagP95Ms: 9_400,
  lagListings: 812,
  ...more,
});

const delays = (matches: number, p50Ms: number | null = null, p95Ms: number | null = null) => ({
  __typename: 'DeliveryDelays',
  matches,
  p50Ms,
  p95Ms,
});

const channel = (name: string, lastDay = delays(0), last30Days = delays(0)) => ({
  __typename: 'ChannelStatus',
  channel: name,
  lastDay,
  last30Days,
});

const incident = (subject: string, message: string, ageMs: number) => ({
  __typename: 'Incident',
  subject,
  message,
  since: before(ageMs),
});

const sources = () => [
  source('dealer-feed', { lagP50Ms: 95_000, lagP95Ms: 640_000 }),
  source('marketplace'),
  source('north-lot', { lagP50Ms: null, lagP95Ms: null, lagListings: 12, lastSuccessAt: before(600_000) }),
];
const channels = [
  channel('email', delays(1_204, 2_100, 4_000), delays(8_310, 2_240, 4_620)),
  channel('sms', delays(12), delays(96, 1_900, 3_100)),
];

/** Times are relative to the visit. */
const shows =
  (more: () => object = () => ({})) =>
  (page: Page) =>
    answering(page, 'Status', {
      status: {
        __typename: 'Status',
        checkedAt: before(4_000),
        sources: sources(),
        channels,
        incidents: [],
        ...more(),
      },
    });

export const statusStates: readonly State[] = [
  {
    ...page,
    name: 'status/working',
    sizes: ['phone', 'desktop'],
    also: [
      'Status',
      'Everything works',
      /^Checked \d+ s ago/,
      '2.1 seconds',
      '11 minutes',
      '12 new listings, too few for a figure',
      'Text message',
      '12 matches, too few for a figure',
    ],
    prepare: shows(),
  },
  {
    ...page,
    name: 'status/source-late',
    isLong: true,
    sizes: ['phone', 'desktop'],
    also: ['One source is late', /^Late · read 2 min ago$/],
    prepare: shows(() => ({
      sources: [source('south-lot', { state: 'degraded', lastSuccessAt: before(130_000) }), ...sources()],
    })),
  },
  {
    ...page,
    name: 'status/problems',
    sizes: ['phone', 'desktop'],
    also: [
      'There are 2 problems',
      'This source cannot be read. It began 2 h ago.',
      'Mails are delayed. It began 20 min ago.',
    ],
    prepare: shows(() => ({
      sources: [
        source('a-feed-with-a-long-name-without-a-space', { state: 'failing', lastSuccessAt: before(7_300_000) }),
      ],
      incidents: [
        incident('a-feed-with-a-long-name-without-a-space', 'This source cannot be read.', 7_300_000),
        incident('email', 'Mails are delayed.', 1_230_000),
      ],
    })),
  },
  {
    ...page,
    name: 'status/no-data',
    isLong: true,
    also: ['Nothing to report yet', 'No source is read yet.', 'No matches yet'],
    prepare: shows(() => ({ sources: [], channels: [channel('email'), channel('sms')] })),
  },
  {
    ...page,
    name: 'status/loading',
    isLong: true,
    also: ['Loading the status'],
    prepare: (page) => holding(page, 'Status'),
  },
  {
    ...page,
    name: 'status/failed',
    isLong: true,
    also: ['The status could not be loaded', 'Try Again'],
    prepare: (page) => failing(page, 'Status', INTERNAL_ERROR),
  },
];
