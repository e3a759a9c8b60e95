import { type Received, startReceiver } from '../../test/webhooks/receiver.ts';
import { pairOf } from '../oracle/judge-matches.ts';
import { ask, type Buyer, type Door } from '../world/buyers.ts';
import { carOf } from './cursor-readers.ts';

/** A dealer's server that is told of matches. */
export interface WebhookReader {
  name: string;
  owner: string;
  /** Each message as often as it came, taken or not. */
  messages: { id: string; pair: string; at: number; taken: boolean }[];
  /** From now on it answers well. */
  calm(): void;
  stop(): void;
}

const query = `mutation ($url: String!, $events: [String!]!) {
  createWebhook(url: $url, events: $events) { secret } }`;

/** It answers as a server on a bad day does: mostly well, now and then 500, or it takes a message and is cut off. */
export async function startWebhookReader(door: Door, buyer: Buyer, random: () => number): Promise<WebhookReader> {
  const receiver = await startReceiver();
  const { createWebhook } = await ask<{ createWebhook: { secret: string } }>(door, buyer, query, {
    url: receiver.url,
    events: ['match.created'],
  });
  receiver.secret = createWebhook.secret;
  const take = ({ id, data }: Received, answer: 200 | 500 | 'cut') => {
    const { alert, listing } = data as { alert: { id: number }; listing: { url: string } };
    const pair = pairOf(carOf(listing.url), alert.id);
    reader.messages.push({ id, pair, at: Date.now(), taken: answer !== 500 });
    return answer;
  };
  const reader: WebhookReader = {
    name: `webhook of ${buyer.email}`,
    owner: buyer.email,
    messages: [],
    calm() {
      receiver.answer = (received) => take(received, 200);
    },
    stop: () => receiver.close(),
  };
  receiver.answer = (received) => {
    const luck = random();
    return take(received, luck < 0.04 ? 500 : luck < 0.08 ? 'cut' : 200);
  };
  return reader;
}
