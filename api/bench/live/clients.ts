import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ID_PREFIX } from './cars.ts';
import {
  type Delivery,
  type FromClients,
  now,
  type OpenSockets,
  type TakeDeliveries,
  type ToClients,
} from './processes.ts';

const CONCURRENCY = 25;
const RETRY_MS = 250;
/** How long duplicates are awaited after the last expected message. */
const GRACE_MS = 300;

interface SocketSet {
  delivered: Delivery[];
  sample: string;
  restarts: number;
  arrived: (() => void) | undefined;
}

const sets = new Map<string, SocketSet>();
const send = (message: FromClients) => process.send?.(message);

function cut(data: Buffer, before: string, end: string): string {
  const start = data.indexOf(before);
  return start < 0 ? '' : data.toString('latin1', start + before.length, data.indexOf(end, start + before.length));
}

/** Runs one browser's subscription, which continues from the last cursor after every end. */
function follow(set: SocketSet, subscriber: number, options: OpenSockets): Promise<void> {
  let after = options.after;
  const { origin } = options;
  const cookie = options.cookies[subscriber] ?? '';
  return new Promise((opened) => {
    const begin = () => {
      const headers = { origin, cookie };
      const socket = new WebSocket(options.url, 'graphql-transport-ws', { headers, perMessageDeflate: false });
      let isOver = false;
      const again = () => {
        if (isOver) return;
        isOver = true;
        set.restarts += 1;
        socket.terminate();
        setTimeout(begin, RETRY_MS * (1 + Math.random()));
      };
      socket.on('open', () => socket.send('{"type":"connection_init"}'));
      socket.on('error', again);
      socket.on('close', again);
      socket.on('message', (data: Buffer) => {
        if (isOver) return;
        const at = now();
        const carNumber = cut(data, ID_PREFIX, '.');
        if (carNumber !== '') {
          set.delivered.push({ subscriber, carNumber: Number(carNumber), at });
          after = cut(data, '"cursor":"', '"');
          set.sample ||= data.toString();
          set.arrived?.();
        } else if (data.includes('"connection_ack"')) {
          const payload = { query: options.query, variables: { after } };
          socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
          opened();
        } else if (data.includes('"errors"') || data.includes('"type":"error"') || data.includes('"complete"')) {
          again();
        }
      });
    };
    begin();
  });
}

async function open(options: OpenSockets): Promise<void> {
  const set: SocketSet = { delivered: [], sample: '', restarts: 0, arrived: undefined };
  sets.set(options.set, set);
  for (let start = 0; start < options.cookies.length; start += CONCURRENCY) {
    const ends = Math.min(start + CONCURRENCY, options.cookies.length);
    await Promise.all(Array.from({ length: ends - start }, (_, at) => follow(set, start + at, options)));
  }
  send({ type: 'opened' });
}

async function take({ set: name, count, timeoutMs }: TakeDeliveries): Promise<void> {
  const set = sets.get(name);
  if (!set) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    set.arrived = () => {
      if (set.delivered.length < count) return;
      clearTimeout(timer);
      resolve();
    };
    set.arrived();
  });
  set.arrived = undefined;
  await sleep(GRACE_MS);
  send({ type: 'delivered', delivered: set.delivered.splice(0) });
}

process.on('message', (message: ToClients) => {
  if (message.type === 'open') void open(message);
  else if (message.type === 'take') void take(message);
  else send({ type: 'report', sample: sets.get('real')?.sample ?? '', restarts: sets.get('real')?.restarts ?? 0 });
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
