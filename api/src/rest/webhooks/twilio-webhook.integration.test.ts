import twilio from 'twilio';
import { beforeEach, describe, expect, it } from 'vitest';
import { insertAlert } from '../../../test/mail/mail-fixtures.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { insertDueText, insertTexted, PHONE } from '../../../test/texts/text-fixtures.ts';
import { readTextWord } from './twilio-webhook.ts';

const TOKEN = 'a-token-of-twilio';
const PUBLIC_URL = 'https://lotwatch.example';
const PATH = '/api/webhooks/twilio';

const api = setUpApi({
  env: { TWILIO_AUTH_TOKEN: TOKEN, PUBLIC_URL, TRUSTED_PROXIES: 'none', TWILIO_FROM: '+15125550100' },
});
beforeEach(() => api.db.pool.query('truncate text_stops, texts, notifications'));

const sign = (form: Record<string, string>, query = '', token = TOKEN) =>
  twilio.getExpectedTwilioSignature(token, PUBLIC_URL + PATH + query, form);

function post(form: Record<string, string>, { signature = sign(form), query = '', at = api } = {}): Promise<Response> {
  return fetch(at.url + PATH + query, {
    method: 'POST',
    headers: { 'x-twilio-signature': signature, origin: 'https://evil.example' },
    body: new URLSearchParams(form),
  });
}

const reply = (body: string, from = PHONE) => ({ MessageSid: 'SM1', From: from, To: '+15125550100', Body: body });
const stops = async () => (await api.db.rows('select phone from text_stops')).map(({ phone }) => phone);

describe('words', () => {
  it.each([
    [
      'stop',
      ['STOP', 'stop', ' Stop. ', 'STOPALL', 'unsubscribe', 'Cancel', 'END', 'quit', 'REVOKE', 'OptOut', '"STOP"'],
    ],
    ['start', ['START', 'yes', 'Unstop!']],
    ['help', ['HELP', 'info?']],
    [null, ['', 'stop it', 'please stop', 'Stopp', 'no', 'constructor', '🛑']],
  ])('%s', (word, replies) => {
    for (const text of replies) expect([text, readTextWord(text)]).toEqual([text, word]);
  });
});

describe('a reply', () => {
  it('STOP drops queued texts and ends new ones, START allows them again; neither gets a reply', async () => {
    const userId = await insertTexted(api.db.pool);
    await insertDueText(api.db.pool, await insertAlert(api.db.pool, userId, { text_notifications: true }));
    const answer = await post(reply('Stop'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(await answer.text()).toBe('<?xml version="1.0" encoding="UTF-8"?><Response/>');
    expect(await stops()).toEqual([PHONE]);
    expect(await api.db.rows('select status from notifications')).toEqual([{ status: 'dropped' }]);
    expect((await post(reply('STOP'))).status).toBe(200);
    expect(await (await post(reply('yes'))).text()).toContain('<Response/>');
    expect(await stops()).toEqual([]);
  });

  it('has the meaning that the provider states, whatever its text, and only if it comes from a phone', async () => {
    const replyAs = (body: string, type: string, from = PHONE) => post({ ...reply(body, from), OptOutType: type });
    expect(await (await replyAs('ARRET', 'STOP')).text()).toContain('<Response/>');
    expect(await stops()).toEqual([PHONE]);
    await replyAs('oui', 'START');
    expect(await stops()).toEqual([]);
    for (const from of ['', '24273', 'BANK', 'whatsapp:+15125550123']) await post(reply('STOP', from));
    expect(await stops()).toEqual([]);
  });

  it('is seen on the settings page', async () => {
    const { browser, id } = await api.user('stopper', { phone: '+12133734567' });
    await api.db.pool.query('update users set phone_confirmed_at = now(), plan_id = 2 where id = $1', [id]);
    const state = async () => (await browser.gql('{ me { texts { stopped from } } }')).data.me.texts;
    await post(reply('STOP', '+12133734567'));
    expect(await state()).toEqual({ stopped: true, from: '+15125550100' });
    await post(reply('START', '+12133734567'));
    expect((await state()).stopped).toBe(false);
  });

  it('HELP gets a reply, unless the provider has sent one', async () => {
    const text = await (await post(reply('help'))).text();
    expect(text).toContain('<Message>LotWatch:');
    expect(text).toContain('Reply STOP');
    const form = { ...reply('HELP'), OptOutType: 'HELP' };
    expect(await (await post(form)).text()).toContain('<Response/>');
    expect(await (await post(reply('what is this?'))).text()).toContain('<Response/>');
  });
});

describe('a request without the provider’s signature', () => {
  it('is 400 and writes nothing', async () => {
    const form = reply('STOP');
    const tries = [
      post(form, { signature: '' }),
      post(form, { signature: 'x'.repeat(28) }),
      post(form, { signature: sign(form, '', 'another-token') }),
      post({ ...form, From: '+15125550199' }, { signature: sign(form) }),
      post({ ...form, Extra: '1' }, { signature: sign(form) }),
      post(form, { signature: sign(form), query: '?text=1' }),
      fetch(api.url + PATH, {
        method: 'POST',
        headers: { 'x-twilio-signature': sign(form) },
        body: JSON.stringify(form),
      }),
    ];
    for (const answer of await Promise.all(tries)) {
      expect([answer.status, (await answer.json()).code]).toEqual([400, 'VALIDATION']);
    }
    expect(await stops()).toEqual([]);
    expect((await fetch(api.url + PATH)).status).toBe(405);
  });

  it('is refused where no token is set', async () => {
    const other = await makeTestApi({ db: api.db });
    expect((await post(reply('STOP'), { at: other })).status).toBe(400);
    expect((await post(reply('STOP'), { at: other, signature: sign(reply('STOP'), '', '') })).status).toBe(400);
    expect(await stops()).toEqual([]);
    await other.close();
  });
});

describe('the status of a text', () => {
  const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const insertText = (status = 'unknown') =>
    api.db.pool.query("insert into texts (id, kind, user_id, to_phone, status) values ($1, 'match', 1, $2, $3)", [
      ID,
      PHONE,
      status,
    ]);
  const report = (status: string, { query = `?text=${ID}`, ...more }: Record<string, string> = {}) => {
    const form = { MessageSid: 'SM7', MessageStatus: status, To: PHONE, ...more };
    return post(form, { signature: sign(form, query), query });
  };
  const recorded = async () =>
    (await api.db.rows('select status, sid, delivery, delivery_error as error, delivered_at as at from texts'))[0];

  it('is recorded by our id of the text, and proves that an unknown text was sent', async () => {
    await insertText();
    expect((await report('undelivered', { ErrorCode: '30003' })).status).toBe(200);
    expect((await report('sent')).status).toBe(200);
    expect(await recorded()).toEqual({ status: 'sent', sid: 'SM7', delivery: 'undelivered', error: '30003', at: null });
    const strange = { MessageSid: 'SM8', MessageStatus: 'delivered' };
    for (const other of ['?text=1', '?text=0f8fad5b-0000-469f-a165-70867728950e', `?text=${ID}`, '']) {
      expect((await post(strange, { signature: sign(strange, other), query: other })).status).toBe(200);
    }
    expect(await recorded()).toMatchObject({ sid: 'SM7', delivery: 'undelivered' });
  });

  it.each([
    [['queued', 'sending', 'sent', 'delivered'], 'delivered'],
    [['delivered', 'sent', 'queued'], 'delivered'],
    [['sent', 'delivered', 'delivered', 'sending', 'undelivered'], 'delivered'],
    [['accepted', 'failed', 'sent', 'delivered'], 'failed'],
    [['canceled', 'sent'], 'canceled'],
    [['sending', 'read', 'constructor', '__proto__', ''], 'sending'],
  ])('%j ends as %s: the first final state stays, and only a delivery has a time', async (states, last) => {
    await insertText('sent');
    let time: unknown = null;
    for (const state of states) {
      expect((await report(state)).status).toBe(200);
      const { at } = (await recorded()) ?? {};
      if (time) expect(at).toEqual(time);
      time = at;
    }
    expect(await recorded()).toMatchObject({ delivery: last, at: last === 'delivered' ? expect.any(Date) : null });
  });
});
