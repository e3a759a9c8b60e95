import { describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, setUpApi, type TestApi } from '../../../test/make-app.ts';
import { TextNotAccepted, TextRefused } from '../../vendors/texts/text.ts';

const api = setUpApi({ env: { TWILIO_FROM: '+15125550100' } });

const send = 'mutation { sendPhoneCode { message } }';
const confirm = 'mutation ($code: String!) { confirmPhone(code: $code) { phone phoneConfirmed } }';
const state =
  '{ me { phone phoneConfirmed texts { stopped codeExpiresAt usedThisMonth monthlyLimit from available } } }';
let number = 0;

async function buyer(planId = 2, phone: string | null = null, at: TestApi = api): Promise<Browser & { id: number }> {
  number += 1;
  const { browser, id } = await at.user(`phone-${number}-${at.port}`, { phone: phone ?? `(213) 373-${4200 + number}` });
  await at.db.pool.query('update users set plan_id = $2 where id = $1', [id, planId]);
  return Object.assign(browser, { id });
}

const codesOf = (phone: string, at: TestApi = api) =>
  at.texts.filter(({ to }) => to === phone).map(({ text }) => /^\d{6}/.exec(text)?.[0] ?? '');
const refusal = async (answer: Promise<{ errors: { extensions: Record<string, unknown> }[] }>) =>
  (await answer).errors[0]?.extensions ?? {};
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const age = (seconds: number) =>
  api.db.pool.query(
    `update phone_codes set created_at = created_at - make_interval(secs => $1), expires_at = expires_at - make_interval(secs => $1)`,
    [seconds],
  );

describe('a code', () => {
  it('confirms the number, which is then stored as E.164', async () => {
    const ana = await buyer(2, ' (512) 555-0123 ');
    expect((await ana.gql(send)).data.sendPhoneCode.message).toBe('We texted a code to ••• 0123.');
    const [code = ''] = codesOf('+15125550123');
    const [text] = api.texts.filter(({ to }) => to === '+15125550123');
    expect(text).toMatchObject({ kind: 'code', alertId: null });
    expect(text?.text).toContain('Reply STOP');
    const waiting = (await ana.gql(state)).data.me;
    expect(waiting).toMatchObject({ phone: '(512) 555-0123', phoneConfirmed: false });
    expect(waiting.texts).toMatchObject({ monthlyLimit: 100, usedThisMonth: 0, from: '+15125550100', available: true });
    expect(Date.parse(waiting.texts.codeExpiresAt) - Date.now()).toBeGreaterThan(590_000);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await ana.gql(confirm, { code: spaced })).data.confirmPhone).toEqual({
      phone: '+15125550123',
      phoneConfirmed: true,
    });
    expect((await ana.gql(state)).data.me.texts.codeExpiresAt).toBeNull();
    expect((await ana.gql(send)).data.sendPhoneCode.message).toBe('Your phone number is already confirmed.');
    const rows = await api.db.rows('select kind, status, sid from texts where to_phone = $1', ['+15125550123']);
    expect(rows).toEqual([{ kind: 'code', status: 'sent', sid: expect.stringMatching(/^SM/) }]);
  });

  it('is not stored in the database', async () => {
    const ana = await buyer();
    await ana.gql(send);
    const [code = ''] = codesOf(api.texts.at(-1)?.to ?? '');
    expect(code).toMatch(/^\d{6}$/);
    const rows = await api.db.rows('select p::text as row from phone_codes p union all select t::text from texts t');
    expect(rows.filter(({ row }) => row.includes(code))).toEqual([]);
  });

  it('is sent three times in ten minutes for an account or a number, also to concurrent requests', async () => {
    const [ana, ben] = [await buyer(2, '213-373-4999'), await buyer(2, '+1 213 373 4999')];
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? ana : ben).gql(send)));
    const refused = answers.filter(({ errors }) => errors.length > 0);
    expect(codesOf('+12133734999')).toHaveLength(3);
    expect(refused).toHaveLength(9);
    for (const { errors } of refused) expect(errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED' });
    const wait = refused[0]?.errors[0]?.extensions.retryAfterSeconds ?? refused[0]?.headers.get('retry-after');
    expect(Number(wait)).toBeGreaterThan(500);
    await age(601);
    expect((await ana.gql(send)).errors).toEqual([]);
  });

  it('can be guessed five times, also by concurrent requests', async () => {
    const ana = await buyer(3, '213-373-4998');
    await ana.gql(send);
    const [code = ''] = codesOf('+12133734998');
    const answers = await Promise.all(Array.from({ length: 12 }, () => ana.gql(confirm, { code: wrong(code) })));
    for (const { errors } of answers) expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION' });
    expect(await api.db.rows('select guesses from phone_codes where user_id = $1', [ana.id])).toEqual([{ guesses: 5 }]);
    expect(await refusal(ana.gql(confirm, { code }))).toMatchObject({
      code: 'VALIDATION',
      fields: { code: expect.stringContaining('new one') },
    });
  });

  it('ends after ten minutes, after use, with a newer one and with another number', async () => {
    const ana = await buyer(2, '213-373-4997');
    await ana.gql(send);
    await ana.gql(send);
    const [first = '', second = ''] = codesOf('+12133734997');
    if (first !== second)
      expect(await refusal(ana.gql(confirm, { code: first }))).toMatchObject({ code: 'VALIDATION' });
    await api.db.pool.query("update users set phone = '213-373-4996' where id = $1", [ana.id]);
    expect(await refusal(ana.gql(confirm, { code: second }))).toMatchObject({ code: 'VALIDATION' });
    await api.db.pool.query("update users set phone = '213-373-4997' where id = $1", [ana.id]);
    await age(601);
    expect(await refusal(ana.gql(confirm, { code: second }))).toMatchObject({
      fields: { code: 'This code has expired. Please ask for a new one.' },
    });
    for (const code of ['', '12345', 'abcdef', '1234567'])
      expect(await refusal(ana.gql(confirm, { code }))).toMatchObject({ fields: { code: expect.any(String) } });
  });

  it('is sent only on paid plans, and only to a valid number', async () => {
    const free = await buyer(1);
    const sentence =
      'SMS notifications are only available with paid subscription plans. Please upgrade to enable this feature.';
    for (const asked of [free.gql(send), free.gql(confirm, { code: '123456' })]) {
      const { errors } = await asked;
      expect(errors[0]).toMatchObject({ message: sentence, extensions: { code: 'PLAN_REQUIRED', needsUpgrade: true } });
    }
    for (const phone of ['12', 'any words', '+1 900 555 1234', '1-800-555-1234', '512-555-0123 ext. 7']) {
      expect(await refusal((await buyer(2, phone)).gql(send))).toMatchObject({
        code: 'VALIDATION',
        fields: { phone: 'Please enter a phone number that can get text messages' },
      });
    }
    const none = await buyer(2);
    await api.db.pool.query('update users set phone = null where id = $1', [none.id]);
    expect(await refusal(none.gql(send))).toMatchObject({ fields: { phone: 'Please add a phone number first' } });
    for (const query of [send, 'mutation { confirmPhone(code: "123456") { id } }', '{ unknownTexts { total } }'])
      expect(await refusal(makeBrowser(api.url).gql(query))).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await refusal(free.gql('{ unknownTexts { total } }'))).toMatchObject({ code: 'FORBIDDEN' });
  });
});

it('a number belongs to the account that confirmed it last, and is not shown to others', async () => {
  const [old, young] = [await buyer(2, '213-373-4995'), await buyer(2, '+12133734995')];
  await old.gql(send);
  await old.gql(confirm, { code: codesOf('+12133734995')[0] });
  expect((await young.gql(send)).data.sendPhoneCode.message).toBe('We texted a code to ••• 4995.');
  expect((await young.gql(confirm, { code: codesOf('+12133734995')[1] })).errors).toEqual([]);
  expect((await old.gql(state)).data.me).toMatchObject({ phone: '+12133734995', phoneConfirmed: false });
});

it('changing the number makes it unconfirmed, changing its spelling does not', async () => {
  const ana = await buyer(2, '213-373-4994');
  await ana.gql(send);
  await ana.gql(confirm, { code: codesOf('+12133734994')[0] });
  const save = 'mutation ($phone: String) { updateProfile(input: { phone: $phone }) { phone phoneConfirmed } }';
  expect((await ana.gql(save, { phone: '213 373 4994' })).data.updateProfile).toEqual({
    phone: '+12133734994',
    phoneConfirmed: true,
  });
  expect((await ana.gql(save, { phone: '213 373 4993' })).data.updateProfile).toEqual({
    phone: '213 373 4993',
    phoneConfirmed: false,
  });
});

describe('a failure at the provider', () => {
  const failures: [string, unknown, string, string][] = [
    ['refuses the number', new TextRefused('x', 'number'), 'VALIDATION', 'failed'],
    ['says that it replied STOP', new TextRefused('x', 'stopped'), 'CONFLICT', 'failed'],
    ['does not take it', new TextNotAccepted('x'), 'VENDOR', 'failed'],
  ];
  it.each(failures)('%s: the user gets an error', async (_what, error, code, status) => {
    const other = await makeTestApi({ db: api.db, texter: { timeoutMs: 1, send: () => Promise.reject(error) } });
    const ana = await buyer(2, null, other);
    expect(await refusal(ana.gql(send))).toMatchObject({ code });
    expect(await api.db.rows('select status from texts where user_id = $1', [ana.id])).toEqual([{ status }]);
    await other.close();
  });

  it('with an unknown outcome: the code can be entered, and the admin sees the text', async () => {
    let sentText = '';
    const send_ = ({ text }: { text: string }) => {
      sentText = text;
      return Promise.reject(new Error('timeout'));
    };
    const other = await makeTestApi({ db: api.db, texter: { timeoutMs: 1, send: send_ } });
    const ana = await buyer(2, null, other);
    expect((await ana.gql(send)).data.sendPhoneCode.message).toMatch(/^We tried to text a code to ••• \d{4}\./);
    const admin = await other.admin();
    const { data } = await admin.gql('{ unknownTexts { total nodes { kind userId to cars reason } } }');
    const [listed] = data.unknownTexts.nodes;
    expect(listed).toMatchObject({ kind: 'code', userId: String(ana.id), cars: 0, reason: 'timeout' });
    expect((await ana.gql(confirm, { code: sentText.slice(0, 6) })).errors).toEqual([]);
    await other.close();
  });

  it('for lack of settings: 503 NOT_CONFIGURED', async () => {
    const other = await makeTestApi({ db: api.db, texter: null });
    const ana = await buyer(2, null, other);
    expect(await refusal(ana.gql(send))).toMatchObject({ code: 'NOT_CONFIGURED' });
    await other.close();
  });
});

describe('what the operator allows', () => {
  it('a number in another country is refused at its field, and a code that was texted before confirms it no more', async () => {
    const eve = await buyer(2, '+1 876 555 0123');
    expect(await refusal(eve.gql(send))).toMatchObject({
      code: 'VALIDATION',
      fields: { phone: 'We can text only numbers of these countries: United States and Canada' },
    });
    expect(await refusal(eve.gql(confirm, { code: '123456' }))).toMatchObject({ code: 'VALIDATION' });
    expect(codesOf('+18765550123')).toEqual([]);
    const other = await makeTestApi({ db: api.db, env: { SMS_COUNTRIES: 'jm' } });
    const jan = await buyer(2, '+1 876 555 0124', other);
    expect((await jan.gql(send)).data.sendPhoneCode.message).toContain('0124');
    await other.close();
  });

  it('codes have a limit a day for all accounts, after which nobody waits for one, and the operators know', async () => {
    const other = await makeTestApi({ db: api.db, env: { SMS_DAILY_LIMIT: '10' } });
    await api.db.pool.query('delete from text_counts');
    const people = await Promise.all(Array.from({ length: 5 }, () => buyer(2, null, other)));
    const answers = await Promise.all(people.map((one) => one.gql(send)));
    const refused = answers.filter(({ errors }) => errors.length > 0);
    expect(refused.map(({ headers }) => Number(headers.get('retry-after')) > 0)).toEqual([true, true, true]);
    for (const { errors } of refused) {
      expect(errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED' });
    }
    expect(other.texts).toHaveLength(2);
    const { rows } = await api.db.pool.query(
      "select count(*)::int from phone_codes where created_at > now() - interval '1 minute' and user_id = any($1)",
      [people.map(({ id }) => id)],
    );
    expect(rows).toEqual([{ count: 2 }]);
    expect(await api.db.rows("select data ->> 'texts' as texts from mails where kind = 'text_limit'")).toEqual([
      { texts: 'code' },
    ]);
    await other.close();
  });
});
