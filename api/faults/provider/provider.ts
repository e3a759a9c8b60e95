import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startVendorServer, treatmentOf } from './vendor-server.ts';

/** How a request of a worker was treated. Only the first three have taken the mail. */
export type Treatment = 'taken' | 'taken slowly' | 'reset after taking' | 'reset before' | 429 | 500;

export interface TakenMail {
  mailId: string;
  to: string;
  text: string;
  /** When its request came and when it was taken, in milliseconds since 1970. */
  askedAt: number;
  at: number;
  /** A line of the outbox has no times but this, by the clock of a worker. */
  writtenAt?: number;
  /** 'worker-1/7', whose seventh life handed it over; 'outbox' for a line of the outbox. */
  by: string;
  how: Treatment;
}

export interface Provider {
  url: string;
  taken: TakenMail[];
  counts: Record<string, number>;
  /** From now on everything is taken at once. */
  calm(): void;
  close(): Promise<void>;
}

interface Body {
  personalizations: { to: { email: string }[]; custom_args?: Record<string, string> }[];
  content: { type: string; value: string }[];
}

const chances: readonly (readonly [Treatment, number])[] = [
  ['reset before', 0.05],
  ['reset after taking', 0.04],
  [429, 0.05],
  [500, 0.05],
  ['taken slowly', 0.15],
];

const SLOWEST_MS = 2_000;

/**
 * SendGrid's mail/send as it is on a bad day: slow, cut off before or after taking, overloaded, broken.
 * @param takesAtOnce whose mails are taken as on any other day
 */
export async function startProvider(
  apiKey: string,
  random: () => number,
  takesAtOnce: (to: string) => boolean,
): Promise<Provider> {
  const taken: TakenMail[] = [];
  const counts: Record<string, number> = {};
  let isCalm = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, part = '', life = ''] = /^\/([a-z0-9-]+)\/(\d+)\/v3\/mail\/send$/.exec(request.url ?? '') ?? [];
    if (part === '' || request.headers.authorization !== `Bearer ${apiKey}`) return void response.writeHead(401).end();
    const askedAt = Date.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { personalizations, content } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body;
    const to = personalizations[0]?.to[0]?.email ?? '';
    const how = isCalm || takesAtOnce(to) ? 'taken' : treatmentOf(chances, random());
    counts[how] = (counts[how] ?? 0) + 1;
    if (how === 'reset before') return void request.socket.destroy();
    if (how === 429) return void response.writeHead(429, { 'retry-after': String(1 + Math.floor(random() * 3)) }).end();
    if (how === 500) return void response.writeHead(500).end();
    if (how === 'taken slowly') await sleep(random() * SLOWEST_MS);
    taken.push({
      mailId: personalizations[0]?.custom_args?.lotwatch_id ?? '',
      to,
      text: content.find(({ type }) => type === 'text/plain')?.value ?? '',
      askedAt,
      at: Date.now(),
      by: `${part}/${life}`,
      how,
    });
    if (how === 'reset after taking') return void request.socket.destroy();
    response.writeHead(202, { 'x-message-id': 'a-message' }).end();
  }

  return {
    ...(await startVendorServer(answer)),
    taken,
    counts,
    calm() {
      isCalm = true;
    },
  };
}
