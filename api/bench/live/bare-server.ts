import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema } from 'graphql';
import { useServer as serveGraphql } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

type Event = Record<string, unknown>;

/** What it is told: what the product once sent, and to which of its sockets; null is all. */
export interface Tell {
  data: Event;
  to: number[] | null;
}

const subscribers: ((event: Event) => void)[] = [];

async function* events(): AsyncGenerator<Event> {
  const waiting: Event[] = [];
  let wake: (() => void) | undefined;
  subscribers.push((event) => {
    waiting.push(event);
    wake?.();
  });
  for (;;) {
    for (const event of waiting.splice(0)) yield event;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
const field = schema.getSubscriptionType()?.getFields().matchAdded;
if (field) field.subscribe = events;

/** graphql-ws with the same schema and nothing behind it: no database, no sessions, the payload in memory. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) {
      const { data, to } = JSON.parse(Buffer.concat(chunks).toString()) as Tell;
      for (const tell of to ? to.map((at) => subscribers[at]) : subscribers) tell?.(data);
    }
    response.end(String(subscribers.length));
  });
});
serveGraphql({ schema }, new WebSocketServer({ server, path: '/graphql' }));
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('disconnect', () => process.exit(0));
