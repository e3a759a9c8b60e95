import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startVendorServer, treatmentOf } from '../provider/vendor-server.ts';

type Treatment = 'taken' | 'taken slowly' | 'reset after taking' | 'reset before' | '500 after taking' | 429 | 500;

export interface TakenText {
  /** Ours, from the address where the provider tells how it came on. */
  textId: string;
  to: string;
  at: number;
  /** 'worker-1/7', whose seventh life handed it over. */
  by: string;
  how: Treatment;
}

export interface TextProvider {
  url: string;
  taken: TakenText[];
  counts: Record<string, number>;
  /** From now on everything is taken at once. */
  calm(): void;
  close(): Promise<void>;
}

const chances: readonly (readonly [Treatment, number])[] = [
  ['reset before', 0.02],
  ['reset after taking', 0.02],
  ['500 after taking', 0.01],
  [500, 0.01],
  [429, 0.05],
  ['taken slowly', 0.2],
];
const SLOWEST_MS = 1_500;

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/** Twilio's Messages.json on a bad day: it writes down each text that it accepts, as often as it is given. */
export async function startTextProvider(random: () => number): Promise<TextProvider> {
  const taken: TakenText[] = [];
  const counts: Record<string, number> = {};
  let isCalm = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = /^\/([a-z0-9-]+)\/(\d+)\/2010-04-01\/Accounts\/AC\w{32}\/Messages\.json$/;
    const [, part, life] = path.exec(request.url ?? '') ?? [];
    const say = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (part === undefined || !request.headers.authorization) return void say(404, { code: 20_404, message: 'no' });
    const how = isCalm ? 'taken' : treatmentOf(chances, random());
    counts[how] = (counts[how] ?? 0) + 1;
    if (how === 'reset before') return void request.socket.destroy();
    const form = await formOf(request);
    if (typeof how === 'number') return void say(how, { status: how, code: 20_000 + how, message: 'later' });
    if (how === 'taken slowly') await sleep(random() * SLOWEST_MS);
    const textId = new URL(form.get('StatusCallback') ?? 'x:?text=').searchParams.get('text') ?? '';
    taken.push({ textId, to: form.get('To') ?? '', at: Date.now(), by: `${part}/${life}`, how });
    if (how === 'reset after taking') return void request.socket.destroy();
    if (how === '500 after taking') return void say(500, { status: 500, code: 20_500, message: 'broken' });
    say(201, { sid: `SM${String(taken.length).padStart(32, '0')}`, status: 'queued' });
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
