import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBody } from '../../../lab/local-server.ts';
import { type Prism, startPrismServer } from '../../../test/rest/prism.ts';
import { serverOfTest } from '../../../test/set-up.ts';
import { codeText } from '../../messages/texts.ts';
import { type OutgoingText, TextNotAccepted, TextRefused } from './text.ts';
import { makeTwilioTexter } from './twilio-text.ts';

const DESCRIPTION = fileURLToPath(new URL('../../../test/fixtures/twilio/messages.json', import.meta.url));
const account = { accountSid: `AC${'0a'.repeat(16)}`, authToken: 'a-token-of-twilio', from: '+15125550100' };
const text = (more: Partial<OutgoingText> = {}): OutgoingText => ({
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  kind: 'match',
  to: '+15125550123',
  text: 'Toyota Camry near Austin, TX: 2018 Toyota Camry SE, $14,500, Round Rock, TX https://lotwatch.example/alert/12',
  alertId: 12,
  matchIds: ['1:12'],
  notificationIds: [1],
  ...more,
});

describe('Twilio’s client against Twilio’s API description', () => {
  let prism: Prism;
  beforeAll(async () => {
    prism = await startPrismServer(DESCRIPTION);
  }, 100_000);
  afterAll(() => prism?.stop());
  const texter = (more: object = {}) =>
    makeTwilioTexter({ ...account, apiBase: prism.url, statusCallback: null, ...more });

  it('sends only valid requests', async () => {
    const statusCallback = 'https://lotwatch.example/api/webhooks/twilio';
    const sids: (string | null)[] = [];
    for (const send of [
      () => texter().send(text()),
      () => texter({ statusCallback }).send(text()),
      () => texter({ apiBase: `${prism.url}/` }).send(text({ kind: 'code', text: codeText('012345'), alertId: null })),
      () => texter({ from: '24273' }).send(text({ to: '+447911123456', text: 'ñ & = + %\nßÄ€{}' })),
    ]) {
      sids.push((await send()).sid);
    }
    expect(sids).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^SM[0-9a-f]{32}$/)));
  });

  it('would fail with an invalid request', async () => {
    await expect(texter({ accountSid: 'ACshort' }).send(text())).rejects.toThrow(TextRefused);
    const wrong = fetch(`${prism.url}/2010-04-01/Accounts/${account.accountSid}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('a:b')}` },
      body: new URLSearchParams({ From: account.from, Body: 'to nobody' }),
    });
    expect((await wrong).status).toBe(422);
  });
});

/** Prism ignores parameters that are not described. */
it('sends only parameters that Twilio describes', async () => {
  const given: string[] = [];
  const apiBase = await serverOfTest(async (request, response) => {
    given.push(...new URLSearchParams(await readBody(request)).keys());
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"sid":"SM1"}');
  });
  await makeTwilioTexter({ ...account, apiBase, statusCallback: 'https://lotwatch.example/x' }).send(text());
  const described = JSON.parse(readFileSync(DESCRIPTION, 'utf8'));
  const [path] = Object.values<{ post: { requestBody: { content: object } } }>(described.paths);
  const [body] = Object.values<{ schema: { properties: object } }>({ ...path?.post.requestBody.content });
  expect(given.sort()).toEqual(['Body', 'From', 'StatusCallback', 'To']);
  expect(Object.keys(body?.schema.properties ?? {})).toEqual(expect.arrayContaining(given));
});

describe('an answer of Twilio', () => {
  async function answering(status: number, body: object | null) {
    let calls = 0;
    const apiBase = await serverOfTest((request, response) => {
      calls += 1;
      if (status === 0) request.socket.destroy();
      else if (status > 0) response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const texter = makeTwilioTexter({ ...account, apiBase, statusCallback: null, timeoutMs: 300 });
    const error = await texter.send(text()).catch((failure: unknown) => failure);
    return { error, calls };
  }

  it.each([
    ['the number replied STOP', 400, 21_610, 'stopped'],
    ['the number is none', 400, 21_211, 'number'],
    ['anything else is wrong', 400, 21_602, 'other'],
    ['our account is not there', 404, 20_404, 'other'],
  ])('%s: refused for good', async (_what, status, code, because) => {
    const { error, calls } = await answering(status, { status, code, message: 'no' });
    expect(error).toBeInstanceOf(TextRefused);
    expect(error).toMatchObject({ because });
    expect(calls).toBe(1);
  });

  it.each([
    [429, 20_429],
    [401, 20_003],
    [403, 20_003],
  ])('%s: certainly not accepted', async (status, code) => {
    const { error, calls } = await answering(status, { status, code, message: 'no' });
    expect(error).toBeInstanceOf(TextNotAccepted);
    expect(calls).toBe(1);
  });

  it('nobody listens: certainly not accepted', async () => {
    const texter = makeTwilioTexter({ ...account, apiBase: 'http://127.0.0.1:1', statusCallback: null });
    await expect(texter.send(text())).rejects.toThrow(TextNotAccepted);
  });

  it.each([
    ['is broken', 500],
    ['is overloaded', 503],
    ['cuts the connection', 0],
    ['says nothing', -1],
    ['redirects', 302],
  ])('it %s: the outcome is unknown, and the text is not sent again', async (_what, status) => {
    const { error, calls } = await answering(status, { status, code: 20_500, message: 'broken' });
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(TextNotAccepted);
    expect(error).not.toBeInstanceOf(TextRefused);
    expect(String((error as Error).message)).not.toContain(account.authToken);
    expect(calls).toBe(1);
  });
});
