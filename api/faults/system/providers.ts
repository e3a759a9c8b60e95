import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBody, startLocalServer } from '../../lab/local-server.ts';

/** A provider that sometimes fails. */
interface Provider<Taken> {
  url: string;
  /** All accepted messages, including repeated ones. */
  accepted: Taken[];
  /** How many requests it treated in each way. */
  counts: Record<string, number>;
  /** Ends all faults: from now on everything is accepted at once. */
  recover(): void;
  close(): Promise<void>;
}

/** How a request is treated, with the chance of each; every other request is accepted at once. */
export type Chances<Treatment> = readonly (readonly [Treatment, number])[];

/** Draws how each request is treated, and counts the treatments. */
export function makeTreatments<Treatment extends string | number>(chances: Chances<Treatment>, random: () => number) {
  const counts: Record<string, number> = {};
  let hasRecovered = false;
  function draw(): Treatment | 'accepted' {
    let left = random();
    for (const [treatment, chance] of chances) {
      left -= chance;
      if (left < 0) return treatment;
    }
    return 'accepted';
  }
  return {
    counts,
    /** @param isReliable whether the request is certainly accepted at once */
    treat(isReliable = false): Treatment | 'accepted' {
      const how = hasRecovered || isReliable ? 'accepted' : draw();
      counts[String(how)] = (counts[String(how)] ?? 0) + 1;
      return how;
    },
    /** From now on every request is accepted at once. */
    recover() {
      hasRecovered = true;
    },
  };
}

/** @param answer answers one request, given how a request is treated */
async function startProvider<Taken, Treatment extends string | number>(
  chances: Chances<Treatment>,
  random: () => number,
  answer: (
    request: IncomingMessage,
    response: ServerResponse,
    provider: { accepted: Taken[]; treat(isReliable?: boolean): Treatment | 'accepted' },
  ) => Promise<void>,
): Promise<Provider<Taken>> {
  const accepted: Taken[] = [];
  const { treat, counts, recover } = makeTreatments(chances, random);
  const server = await startLocalServer((request, response) => answer(request, response, { accepted, treat }));
  return { ...server, accepted, counts, recover };
}

/** How a mail was treated. Only the first three treatments accept it. */
type MailTreatment = 'accepted' | 'accepted slowly' | 'reset after accepting' | 'reset before' | 429 | 500;

export interface AcceptedMail {
  mailId: string;
  to: string;
  text: string;
  /** When its request came and when it was accepted, in milliseconds since 1970. */
  askedAt: number;
  at: number;
  /** The only time of a line of the outbox, by a worker's clock. */
  writtenAt?: number;
  /** 'worker-1/7' for the seventh process of worker-1, which delivered it; 'outbox' for a line of the outbox. */
  by: string;
  how: MailTreatment;
}

export type MailProvider = Provider<AcceptedMail>;

interface MailBody {
  personalizations: { to: { email: string }[]; custom_args?: Record<string, string> }[];
  content: { type: string; value: string }[];
}

const mailChances: Chances<MailTreatment> = [
  ['reset before', 0.05],
  ['reset after accepting', 0.04],
  [429, 0.05],
  [500, 0.05],
  ['accepted slowly', 0.15],
];
const SLOWEST_MAIL_MS = 2_000;

/** Starts SendGrid's mail/send. @param isReliable whether mails to an address are always accepted at once */
export const startMailProvider = (
  apiKey: string,
  random: () => number,
  isReliable: (to: string) => boolean,
): Promise<MailProvider> =>
  startProvider<AcceptedMail, MailTreatment>(mailChances, random, async (request, response, { accepted, treat }) => {
    const [, part = '', life = ''] = /^\/([a-z0-9-]+)\/(\d+)\/v3\/mail\/send$/.exec(request.url ?? '') ?? [];
    if (part === '' || request.headers.authorization !== `Bearer ${apiKey}`) return void response.writeHead(401).end();
    const askedAt = Date.now();
    const { personalizations, content } = JSON.parse(await readBody(request)) as MailBody;
    const to = personalizations[0]?.to[0]?.email ?? '';
    const how = treat(isReliable(to));
    if (how === 'reset before') return void request.socket.destroy();
    if (how === 429) return void response.writeHead(429, { 'retry-after': String(1 + Math.floor(random() * 3)) }).end();
    if (how === 500) return void response.writeHead(500).end();
    if (how === 'accepted slowly') await sleep(random() * SLOWEST_MAIL_MS);
    accepted.push({
      mailId: personalizations[0]?.custom_args?.lotwatch_id ?? '',
      to,
      text: content.find(({ type }) => type === 'text/plain')?.value ?? '',
      askedAt,
      at: Date.now(),
      by: `${part}/${life}`,
      how,
    });
    if (how === 'reset after accepting') return void request.socket.destroy();
    response.writeHead(202, { 'x-message-id': 'a-message' }).end();
  });

type TextTreatment =
  | 'accepted'
  | 'accepted slowly'
  | 'reset after accepting'
  | 'reset before'
  | '500 after accepting'
  | 429
  | 500;

export interface AcceptedText {
  /** The id of the text, from the address to which the provider reports the delivery. */
  textId: string;
  to: string;
  at: number;
  /** 'worker-1/7' for the seventh process of worker-1, which delivered it. */
  by: string;
  how: TextTreatment;
}

type TextProvider = Provider<AcceptedText>;

const textChances: Chances<TextTreatment> = [
  ['reset before', 0.02],
  ['reset after accepting', 0.02],
  ['500 after accepting', 0.01],
  [500, 0.01],
  [429, 0.05],
  ['accepted slowly', 0.2],
];
const SLOWEST_TEXT_MS = 1_500;
const textPath = /^\/([a-z0-9-]+)\/(\d+)\/2010-04-01\/Accounts\/AC\w{32}\/Messages\.json$/;

/** Twilio's Messages.json. */
export const startTextProvider = (random: () => number): Promise<TextProvider> =>
  startProvider<AcceptedText, TextTreatment>(textChances, random, async (request, response, { accepted, treat }) => {
    const [, part, life] = textPath.exec(request.url ?? '') ?? [];
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (part === undefined || !request.headers.authorization) return void reply(404, { code: 20_404, message: 'no' });
    const how = treat();
    if (how === 'reset before') return void request.socket.destroy();
    const form = new URLSearchParams(await readBody(request));
    if (typeof how === 'number') return void reply(how, { status: how, code: 20_000 + how, message: 'later' });
    if (how === 'accepted slowly') await sleep(random() * SLOWEST_TEXT_MS);
    const textId = new URL(form.get('StatusCallback') ?? 'x:?text=').searchParams.get('text') ?? '';
    accepted.push({ textId, to: form.get('To') ?? '', at: Date.now(), by: `${part}/${life}`, how });
    if (how === 'reset after accepting') return void request.socket.destroy();
    if (how === '500 after accepting') return void reply(500, { status: 500, code: 20_500, message: 'broken' });
    reply(201, { sid: `SM${String(accepted.length).padStart(32, '0')}`, status: 'queued' });
  });
