import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema } from 'graphql';
import { useServer as serveGraphql } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

type Event = Record<string, unknown>;

/** A request to send a message to some of the sockets; null is all of them. */
export interface Send {
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

/** Starts graphql-ws with the same schema, and without a database and sessions. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) {
      const { data, to } = JSON.parse(Buffer.concat(chunks).toString()) as Send;
      for (const send of to ? to.map((at) => subscribers[at]) : subscribers) send?.(data);
    }
    response.end(String(subscribers.length));
  });
});
serveGraphql({ schema }, new WebSocketServer({ server, path: '/graphql' }));
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('disconnect', () => process.exit(0));
