import { cached } from '../base/cached.ts';
import type { Pool } from '../base/database.ts';
import { type ChannelStatus, readChannelStatus } from '../notify/read-channel-status.ts';
import { isFailing, readSourceStatus, type SourceStatus } from '../sources/read-source-status.ts';

export interface Incident {
  /** The name of the source, or 'email', 'sms' or 'push'. */
  subject: string;
  message: string;
  since: Date;
}

export interface Status {
  checkedAt: Date;
  isWorking: boolean;
  sources: SourceStatus[];
  channels: ChannelStatus[];
  incidents: Incident[];
}

/** How long the status is cached: it is public and the same for everybody. */
const CACHE_MS = 10_000;

const channelWords = {
  email: 'Mails are delayed.',
  sms: 'Text messages are delayed.',
  push: 'Push notifications are delayed.',
};

function incidentsOf(sources: readonly SourceStatus[], channels: readonly ChannelStatus[]): Incident[] {
  const failing = sources.filter(isFailing).map(({ name, silentSince }) => ({
    subject: name,
    message: 'This source cannot be read.',
    since: silentSince,
  }));
  const delayed = channels.flatMap(({ channel, delayedSince }) =>
    delayedSince ? [{ subject: channel, message: channelWords[channel], since: delayedSince }] : [],
  );
  return [...failing, ...delayed].sort((a, b) => a.since.getTime() - b.since.getTime());
}

export const makeStatusReader = (pool: Pool, maxAgeMs = CACHE_MS): (() => Promise<Status>) =>
  cached(async () => {
    const [sources, channels] = await Promise.all([readSourceStatus(pool), readChannelStatus(pool)]);
    const incidents = incidentsOf(sources, channels);
    return { checkedAt: new Date(), isWorking: incidents.length === 0, sources, channels, incidents };
  }, maxAgeMs);
