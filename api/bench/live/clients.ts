import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { MARK } from './cars.ts';
import { type FromClients, now, type OpenSockets, type TakeTold, type ToClients, type Told } from './processes.ts';

const AT_ONCE = 25;
const RETRY_MS = 250;
/** How long a double may come after the last that was awaited. */
const GRACE_MS = 300;

interface SocketSet {
  told: Told[];
  sample: string;
  begunAgain: number;
  arrived: (() => void) | undefined;
}

const sets = new Map<string, SocketSet>();
const tell = (message: FromClients) => process.send?.(message);

function cut(data: Buffer, before: string, end: string): string {
  const start = data.indexOf(before);
  return start < 0 ? '' : data.toString('latin1', start + before.length, data.indexOf(end, start + before.length));
}

/** One browser: its subscription goes on from the last cursor, whatever ended it. */
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
        set.begunAgain += 1;
        socket.terminate();
        setTimeout(begin, RETRY_MS * (1 + Math.random()));
      };
      socket.on('open', () => socket.send('{"type":"connection_init"}'));
      socket.on('error', again);
      socket.on('close', again);
      socket.on('message', (data: Buffer) => {
        if (isOver) return;
        const at = now();
        const mark = cut(data, MARK, '.');
        if (mark !== '') {
          set.told.push({ subscriber, mark: Number(mark), at });
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
  const set: SocketSet = { told: [], sample: '', begunAgain: 0, arrived: undefined };
  sets.set(options.set, set);
  for (let start = 0; start < options.cookies.length; start += AT_ONCE) {
    const ends = Math.min(start + AT_ONCE, options.cookies.length);
    await Promise.all(Array.from({ length: ends - start }, (_, at) => follow(set, start + at, options)));
  }
  tell({ type: 'opened' });
}

async function take({ set: name, count, patienceMs }: TakeTold): Promise<void> {
  const set = sets.get(name);
  if (!set) return;
  await new Promise<void>((resolve) => {
    const patience = setTimeout(resolve, patienceMs);
    set.arrived = () => {
      if (set.told.length < count) return;
      clearTimeout(patience);
      resolve();
    };
    set.arrived();
  });
  set.arrived = undefined;
  await sleep(GRACE_MS);
  tell({ type: 'told', told: set.told.splice(0) });
}

process.on('message', (message: ToClients) => {
  if (message.type === 'open') void open(message);
  else if (message.type === 'take') void take(message);
  else tell({ type: 'look', sample: sets.get('real')?.sample ?? '', begunAgain: sets.get('real')?.begunAgain ?? 0 });
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
