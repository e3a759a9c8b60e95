import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SendgridServer, startSendgridServer } from '../../test/mail/sendgrid-server.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { MailDelayed, type Mailer, MailRefused, type OutgoingMail, readAddress } from './mail.ts';
import { makeOutboxMailer, type OutboxMailer, outboxFile, readOutbox } from './outbox-mail.ts';
import { makeSendgridMailer } from './sendgrid-mail.ts';

const KEY = 'SG.a-key-of-this-test';
let server: SendgridServer;
const folder = setUpFolder();
beforeAll(async () => {
  server = await startSendgridServer(KEY);
});
afterAll(async () => {
  await server.close();
});

let counter = 0;
function buildMail(overrides: Partial<OutgoingMail> = {}): OutgoingMail {
  counter += 1;
  return {
    id: `00000000-0000-4000-8000-${String(counter).padStart(12, '0')}`,
    kind: 'match',
    to: 'ada@example.com',
    replyTo: null,
    subject: 'Toyota Camry: 2018 Toyota Camry SE, $15,400',
    text: 'A car – with a dash\nhttps://lotwatch.example/m/1',
    html: '<p>A car &amp; more</p>',
    headers: {
      'List-Unsubscribe': '<https://lotwatch.example/m/1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    alertId: 5,
    matchIds: ['7:5'],
    notificationIds: [11, 12],
    ...overrides,
  };
}

interface Handed {
  id: string | undefined;
  to: string | undefined;
  subject: string;
  text: string | undefined;
  html: string | undefined;
  replyTo: string | undefined;
  unsubscribe: string | undefined;
  kind: string | undefined;
}

interface Side {
  mailer: Mailer;
  handed(): Promise<Handed[]>;
  close(): Promise<void>;
}

const sides: Record<string, () => Promise<Side>> = {
  async sendgrid() {
    server.accepted.length = 0;
    return {
      mailer: makeSendgridMailer({ apiKey: KEY, apiBase: server.url, from: 'LotWatch <alerts@lotwatch.example>' }),
      handed: () =>
        Promise.resolve(
          server.accepted.map(({ body }) => ({
            id: body.personalizations[0]?.custom_args?.lotwatch_id,
            to: body.personalizations[0]?.to[0]?.email,
            subject: body.subject,
            text: body.content.find(({ type }) => type === 'text/plain')?.value,
            html: body.content.find(({ type }) => type === 'text/html')?.value,
            replyTo: body.reply_to?.email,
            unsubscribe: body.headers['List-Unsubscribe'],
            kind: body.categories[0],
          })),
        ),
      close: () => Promise.resolve(),
    };
  },
  async outbox() {
    counter += 1;
    const path = join(folder, `${counter}.ndjson`);
    const mailer = await makeOutboxMailer(path);
    return {
      mailer,
      handed: async () =>
        (await readOutbox(path, 1000)).reverse().map((line) => ({
          ...line,
          replyTo: line.headers['Reply-To'],
          unsubscribe: line.headers['List-Unsubscribe'],
        })),
      close: () => mailer.close(),
    };
  },
};

describe.each(Object.keys(sides))('%s', (name) => {
  let side: Side;
  beforeEach(async () => {
    side = await (sides[name] as () => Promise<Side>)();
    return () => side.close();
  });

  it('accepts a complete mail with our id', async () => {
    const mail = buildMail({ replyTo: 'buyer@example.com' });
    await side.mailer.send(mail);
    expect(await side.handed()).toMatchObject([
      {
        id: mail.id,
        to: mail.to,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        replyTo: 'buyer@example.com',
        unsubscribe: '<https://lotwatch.example/m/1>',
        kind: 'match',
      },
    ]);
  });

  it('accepts many at once', async () => {
    const mails = Array.from({ length: 40 }, () => buildMail());
    await Promise.all(mails.map((mail) => side.mailer.send(mail)));
    expect((await side.handed()).map(({ id }) => id).sort()).toEqual(mails.map(({ id }) => id).sort());
  });

  it('does not report unsent mails as sent', async () => {
    expect(await side.mailer.wasSent('00000000-0000-4000-8000-ffffffffffff')).not.toBe(true);
  });
});

describe('SendGrid', () => {
  const mailer = (settings: Partial<Parameters<typeof makeSendgridMailer>[0]> = {}) =>
    makeSendgridMailer({ apiKey: KEY, apiBase: `${server.url}/`, from: 'alerts@lotwatch.example', ...settings });
  const failure = (settings = {}) =>
    mailer(settings)
      .send(buildMail())
      .then(
        () => null,
        (error: unknown) => error,
      );

  it('turns off link rewriting and tracking', async () => {
    server.accepted.length = 0;
    await mailer().send(buildMail());
    const { tracking_settings: tracking, from } = server.accepted[0]?.body ?? {};
    expect(Object.values(tracking ?? {}).map(({ enable }) => enable)).toEqual([false, false, false]);
    expect(from).toEqual({ email: 'alerts@lotwatch.example' });
  });

  it.each([
    [429, { 'Retry-After': '17' }, 17_000],
    [503, {}, null],
    [500, { 'Retry-After': 'soon' }, null],
  ])('delays the mail after a %i', async (status, headers, retryAfterMs) => {
    server.next = { status, headers };
    const error = await failure();
    expect(error).toBeInstanceOf(MailDelayed);
    expect((error as MailDelayed).retryAfterMs).toBe(retryAfterMs);
  });

  it('reads a Retry-After date, and its rate limit reset', async () => {
    server.next = { status: 429, headers: { 'Retry-After': new Date(Date.now() + 60_000).toUTCString() } };
    expect(((await failure()) as MailDelayed).retryAfterMs).toBeGreaterThan(50_000);
    server.next = { status: 429, headers: { 'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + 30) } };
    expect(((await failure()) as MailDelayed).retryAfterMs).toBeGreaterThan(25_000);
  });

  it('reads them by the response’s clock, since ours may be wrong', async () => {
    const yesterday = Date.now() - 86_400_000;
    const date = { Date: new Date(yesterday).toUTCString() };
    server.next = { status: 429, headers: { ...date, 'X-RateLimit-Reset': String(Math.ceil(yesterday / 1000) + 30) } };
    const waits = ((await failure()) as MailDelayed).retryAfterMs;
    expect(waits).toBeGreaterThan(25_000);
    expect(waits).toBeLessThan(35_000);
    server.next = { status: 429, headers: { ...date, 'Retry-After': new Date(yesterday + 60_000).toUTCString() } };
    expect(((await failure()) as MailDelayed).retryAfterMs).toBeGreaterThan(50_000);
  });

  it('delays the mail when the connection is cut, nobody listens, or our key is wrong', async () => {
    server.next = 'hang up';
    expect(await failure()).toBeInstanceOf(MailDelayed);
    const unheard = await failure({ apiBase: 'http://127.0.0.1:1' });
    expect(unheard).toBeInstanceOf(MailDelayed);
    expect(String(unheard)).toContain('ECONNREFUSED');
    expect(await failure({ apiKey: 'SG.wrong' })).toBeInstanceOf(MailDelayed);
  });

  it('refuses a mail for good with the reason', async () => {
    server.next = { status: 413 };
    expect(await failure()).toBeInstanceOf(MailRefused);
    const refused = await mailer()
      .send(buildMail({ to: 'not an address' }))
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MailRefused);
    expect(String(refused)).toContain('SendGrid 400');
  });
});

describe('the outbox', () => {
  const lines = (path: string) => readFileSync(path, 'utf8').split('\n');
  let path: string;
  let open: OutboxMailer[] = [];
  const start = async () => {
    const mailer = await makeOutboxMailer(path);
    open.push(mailer);
    return mailer;
  };
  beforeEach(() => {
    counter += 1;
    path = outboxFile(join(folder, `data-${counter}`));
    return async () => {
      for (const mailer of open) await mailer.close();
      open = [];
    };
  });

  it('writes one JSON line a mail with the fields that operators read', async () => {
    const mail = buildMail();
    await (await start()).send(mail);
    const [line, end] = lines(path);
    expect(end).toBe('');
    expect(Object.keys(JSON.parse(line ?? ''))).toEqual(
      'id channel kind to subject text html headers alertId matchIds notificationId notificationIds sentAt'.split(' '),
    );
    expect(JSON.parse(line ?? '')).toMatchObject({
      channel: 'email',
      notificationId: 11,
      matchIds: ['7:5'],
      alertId: 5,
    });
    expect(JSON.parse(line ?? '').sentAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('cuts off an incomplete last line and continues after it', async () => {
    await (await start()).send(buildMail());
    appendFileSync(path, '{"id":"torn","channel":"ema');
    const mailer = await start();
    await mailer.send(buildMail());
    expect(lines(path)).toHaveLength(3);
    for (const line of lines(path).slice(0, 2)) expect(() => JSON.parse(line)).not.toThrow();
    expect(await mailer.wasSent('torn')).toBe(false);
  });

  it('keeps a last line without its line end', async () => {
    const mail = buildMail();
    await (await start()).send(mail);
    writeFileSync(path, readFileSync(path, 'utf8').trimEnd());
    const mailer = await start();
    expect(await mailer.wasSent(mail.id)).toBe(true);
    await mailer.send(buildMail());
    expect(lines(path)).toHaveLength(3);
  });

  it('knows its ids after a restart, and never writes one twice', async () => {
    const mail = buildMail();
    await (await start()).send(mail);
    const mailer = await start();
    expect(await mailer.wasSent(mail.id)).toBe(true);
    await Promise.all([mailer.send(mail), mailer.send(mail)]);
    expect(lines(path)).toHaveLength(2);
  });

  it('reads lines that another process has written', async () => {
    const first = await start();
    const second = await start();
    const mail = buildMail();
    await first.send(mail);
    expect(await second.wasSent(mail.id)).toBe(true);
    await second.send(mail);
    expect(lines(path)).toHaveLength(2);
  });

  it('reads mails longer than its chunks, the newest first', async () => {
    const mailer = await start();
    const long = buildMail({ html: 'ü'.repeat(900_000) });
    await mailer.send(long);
    await mailer.send(buildMail({ subject: 'last' }));
    const read = await readOutbox(path, 10);
    expect(read.map(({ subject }) => subject)).toEqual(['last', long.subject]);
    expect(read[1]?.html).toBe(long.html);
    expect(await readOutbox(`${path}.none`, 10)).toEqual([]);
  });
});

describe('readAddress', () => {
  it.each([
    ['LotWatch <a@b.example>', { name: 'LotWatch', email: 'a@b.example' }],
    ['"Lot, Watch" <a@b.example>', { name: 'Lot, Watch', email: 'a@b.example' }],
    ['<a@b.example>', { name: undefined, email: 'a@b.example' }],
    [' a@b.example ', { name: undefined, email: 'a@b.example' }],
  ])('reads %s', (text, expected) => expect(readAddress(text)).toEqual(expected));
});
