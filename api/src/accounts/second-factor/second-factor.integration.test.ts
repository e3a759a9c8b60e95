import { describe, expect, it } from 'vitest';
import { appCode, type Browser, makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { holdBody } from '../../../test/raw-socket.ts';
import { makeEncryption } from '../../base/encryption.ts';
import { linkExpiry, signToken } from '../../domain/action-links.ts';
import { passwordMark } from '../passwords.ts';

const api = setUpApi();

const login = 'mutation ($u: String!, $p: String!, $c: String) { login(username: $u, password: $p, code: $c) { id } }';
const start = 'mutation { startSecondFactor { secret uri } }';
const confirm = 'mutation ($c: String!) { confirmSecondFactor(code: $c) { codes } }';
const renew = 'mutation ($c: String!) { renewRecoveryCodes(code: $c) { codes } }';
const end = 'mutation ($c: String!) { endSecondFactor(code: $c) { message } }';
const state = '{ me { id secondFactor { since recoveryCodesLeft } restrictedTo } }';

type Answer = Awaited<ReturnType<Browser['gql']>>;
const codeOf = ({ errors }: Answer) => errors[0]?.extensions.code ?? 'OK';
const me = async (browser: Browser) => (await browser.gql(state)).data.me;

let people = 0;
/** Makes a user with a second factor, and another browser that is not signed in. */
async function protectedUser() {
  people += 1;
  const name = `careful-${people}`;
  const { browser, id } = await api.user(name);
  const { secret } = (await browser.gql(start)).data.startSecondFactor;
  const { codes } = (await browser.gql(confirm, { c: appCode(secret) })).data.confirmSecondFactor;
  // Pretends that the last code was used a period ago.
  const clearLastStep = () => api.db.pool.query('update second_factors set last_step = null where user_id = $1', [id]);
  await clearLastStep();
  const other = makeBrowser(api.url);
  const signIn = (c?: string, p = 'secret-1', from = other) => from.login(name, p, c);
  return { name, id, browser, other, secret, codes: codes as string[], signIn, clearLastStep };
}

const mailsTo = async (userId: number) =>
  (
    await api.db.rows(
      "select data ->> 'what' as what from mails where user_id = $1 and kind = 'second_factor_changed' order by created_at",
      [userId],
    )
  ).map(({ what }) => what);

describe('setting up a second factor', () => {
  it('has no effect until a code is given, then ends all other sessions and mails the owner', async () => {
    const { browser, id } = await api.user('beginner');
    const phone = makeBrowser(api.url);
    await phone.login('beginner');
    const first = (await browser.gql(start)).data.startSecondFactor;
    const { secret, uri } = (await browser.gql(start)).data.startSecondFactor;
    expect(secret).not.toBe(first.secret);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(uri)).toMatchObject({ protocol: 'otpauth:', host: 'totp', pathname: '/LotWatch:beginner' });
    expect(uri).toContain(`secret=${secret}`);
    expect(codeOf(await makeBrowser(api.url).login('beginner'))).toBe('OK');

    expect(codeOf(await browser.gql(confirm, { c: appCode(first.secret) }))).toBe('VALIDATION');
    const { codes } = (await browser.gql(confirm, { c: appCode(secret) })).data.confirmSecondFactor;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/);
    expect(await me(phone)).toBeNull();
    const since = expect.stringMatching(/^20\d\d-.*Z$/);
    expect((await me(browser)).secondFactor).toEqual({ since, recoveryCodesLeft: 10 });
    expect(await mailsTo(id)).toEqual(['on']);
    expect(codeOf(await browser.gql(start))).toBe('CONFLICT');
    expect(codeOf(await browser.gql(confirm, { c: appCode(secret, 1) }))).toBe('CONFLICT');
  });

  it('ends sessions that were started with only the password meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = `raced-${round}`;
      const { browser } = await api.user(name);
      const { secret } = (await browser.gql(start)).data.startSecondFactor;
      const others = Array.from({ length: 4 }, () => makeBrowser(api.url));
      await Promise.all([
        ...others.map((other) => other.login(name)),
        new Promise((resolve) => setTimeout(resolve, 20 * round)).then(() =>
          browser.gql(confirm, { c: appCode(secret) }),
        ),
      ]);
      expect((await me(browser)).secondFactor).not.toBeNull();
      for (const other of others) expect(await me(other)).toBeNull();
    }
  });

  it('can’t be started, confirmed or circumvented by a session that ended during its request', async () => {
    const change = 'mutation { changePassword(currentPassword: "secret-1", newPassword: "secret-2") { message } }';
    for (const held of [start, change, 'mutation { exportMyData }']) {
      people += 1;
      const name = `held-${people}`;
      const { browser: owner, id } = await api.user(name);
      const thief = makeBrowser(api.url);
      await thief.login(name);
      const { finish, answered } = holdBody(api.port, { cookie: thief.cookie ?? '' }, JSON.stringify({ query: held }));
      await new Promise((resolve) => setTimeout(resolve, 700));
      const { secret } = (await owner.gql(start)).data.startSecondFactor;
      await owner.gql(confirm, { c: appCode(secret) });
      finish();
      expect(await answered).toContain('UNAUTHENTICATED');
      expect((await me(owner)).id).toBe(String(id));
      expect(await me(thief)).toBeNull();
    }
  });

  it('needs the password, and is refused to keys and visitors', async () => {
    const { browser, id } = await api.user('borrowed');
    await api.db.pool.query(
      `update session set sess = jsonb_set(sess::jsonb, '{passwordGivenAt}', '0')::json where sess ->> 'userId' = $1`,
      [String(id)],
    );
    for (const [call, variables] of [[start], [confirm, { c: '1' }], [end, { c: '1' }], [renew, { c: '1' }]] as const) {
      expect(codeOf(await browser.gql(call, variables))).toBe('PASSWORD_NEEDED');
      expect(codeOf(await makeBrowser(api.url).gql(call, variables))).toBe('UNAUTHENTICATED');
    }
  });

  it('keeps the secret encrypted and only hashes of the codes', async () => {
    const { id, secret, codes } = await protectedUser();
    const rows = await api.db.rows('select * from second_factors where user_id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const kept = await api.db.pool.query('select * from recovery_codes where user_id = $1', [id]);
    expect(kept.rowCount).toBe(10);
    for (const code of codes) expect(JSON.stringify(kept.rows)).not.toContain(code.replaceAll('-', ''));
    // Each purpose has its own key.
    expect(() =>
      makeEncryption('a secret of at least 32 characters, for tests', 'others').decrypt(rows[0].secret_ciphertext),
    ).toThrow();
  });
});

describe('signing in with a second factor', () => {
  it('needs the code only after a right password, and signs nobody in without it', async () => {
    const { signIn, other, secret, id } = await protectedUser();
    expect(codeOf(await signIn(undefined, 'wrong-1'))).toBe('UNAUTHENTICATED');
    expect(codeOf(await signIn(appCode(secret), 'wrong-1'))).toBe('UNAUTHENTICATED');
    for (const nothing of [undefined, '']) expect(codeOf(await signIn(nothing))).toBe('CODE_NEEDED');
    for (const wrong of ['000000', '12345', 'abcdef', '9'.repeat(1000), 'ABCD-EFGH-IJKL-MNOP-QRST-UVWX', '١٢٣٤٥٦']) {
      expect([wrong, codeOf(await signIn(wrong))]).toEqual([wrong, 'VALIDATION']);
    }
    expect(await me(other)).toBeNull();
    const { rowCount } = await api.db.pool.query("select from session where sess ->> 'userId' = $1", [String(id)]);
    expect(rowCount).toBe(1);
    const code = appCode(secret);
    expect(codeOf(await signIn(`${code.slice(0, 3)} ${code.slice(3)}`))).toBe('OK');
    expect((await me(other)).id).toBe(String(id));
  });

  it('accepts each code once, also for concurrent logins, and no earlier code after it', async () => {
    const { signIn, secret } = await protectedUser();
    const code = appCode(secret);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, async () => codeOf(await signIn(code, 'secret-1', makeBrowser(api.url)))),
    );
    expect(outcomes.sort()).toEqual(['OK', ...Array(5).fill('VALIDATION')]);
    expect(codeOf(await signIn(appCode(secret, -1)))).toBe('VALIDATION');
    expect(codeOf(await signIn(appCode(secret, 1)))).toBe('OK');
  });

  it('accepts a code of the period before or after, and no others', async () => {
    const { signIn, secret, clearLastStep } = await protectedUser();
    // The distance grows when a period ends in between.
    for (const away of [-3, 3]) expect(codeOf(await signIn(appCode(secret, away)))).toBe('VALIDATION');
    await clearLastStep();
    expect(codeOf(await signIn(appCode(secret)))).toBe('OK');
  });

  it('accepts each recovery code once, in any spelling, and mails the owner', async () => {
    const { signIn, codes, id, browser } = await protectedUser();
    const [first = '', second = ''] = codes;
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, async () => codeOf(await signIn(first, 'secret-1', makeBrowser(api.url)))),
    );
    expect(outcomes.sort()).toEqual(['OK', 'VALIDATION', 'VALIDATION', 'VALIDATION']);
    expect(codeOf(await signIn(second.toLowerCase().replaceAll('-', ' ')))).toBe('OK');
    expect((await me(browser)).secondFactor).toMatchObject({ recoveryCodesLeft: 8 });
    expect(await mailsTo(id)).toEqual(['on', 'recovery_code_used', 'recovery_code_used']);
  });

  it('refuses another user’s code', async () => {
    const [ana, ben] = [await protectedUser(), await protectedUser()];
    expect(codeOf(await ana.signIn(ben.codes[0]))).toBe('VALIDATION');
    expect(codeOf(await ana.signIn(appCode(ben.secret)))).toBe('VALIDATION');
    expect(codeOf(await ben.signIn(ben.codes[0]))).toBe('OK');
  });

  it('needs the code by REST too', async () => {
    const { name, codes } = await protectedUser();
    const post = async (body: object) => {
      const answer = await makeBrowser(api.url).fetch('/api/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: name, password: 'secret-1', ...body }),
      });
      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    expect(await post({})).toEqual([403, 'CODE_NEEDED']);
    expect(await post({ code: '000000' })).toEqual([400, 'VALIDATION']);
    expect(await post({ code: codes[0] })).toEqual([200, undefined]);
  });

  it('still needs the code after a reset of the password by mail', async () => {
    const { id, signIn, secret } = await protectedUser();
    const row = await api.db.row('select email, password_hash from users where id = $1', [id]);
    const mark = passwordMark(row.password_hash, row.email);
    const expiresAt = linkExpiry('reset', new Date());
    const token = signToken(api.linkSecret, { action: 'reset', userId: id, passwordMark: mark, expiresAt });
    const reset = 'mutation ($t: String!) { resetPassword(token: $t, newPassword: "secret-2") { message } }';
    expect(codeOf(await makeBrowser(api.url).gql(reset, { t: token }))).toBe('OK');
    expect(codeOf(await signIn(undefined, 'secret-2'))).toBe('CODE_NEEDED');
    expect(codeOf(await signIn(appCode(secret), 'secret-2'))).toBe('OK');
  });

  it('limits guesses of codes to ten for all networks together until one is right, and counts known devices separately', async () => {
    const { name, codes, browser, signIn } = await protectedUser();
    const env = { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' };
    const limited = await makeTestApi({ db: api.db, env });
    const guess = async (from: number, c: string) => {
      const answer = await fetch(`${limited.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${from}` },
        body: JSON.stringify({ query: login, variables: { u: name, p: 'secret-1', c } }),
      });
      return answer.status;
    };
    const statuses = [];
    for (let n = 0; n < 9; n += 1) statuses.push(await guess(n, '000000'));
    statuses.push(await guess(9, codes[0] ?? ''));
    for (let n = 10; n < 21; n += 1) statuses.push(await guess(n, '000000'));
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    expect(await guess(99, codes[1] ?? '')).toBe(429);
    const here = makeBrowser(limited.url);
    here.device = browser.device;
    expect(codeOf(await signIn(codes[2], 'secret-1', here))).toBe('OK');
    expect(codeOf(await browser.gql(renew, { c: codes[3] }))).toBe('OK');
    await limited.close();
  });
});

describe('changing a second factor', () => {
  it('makes new recovery codes, which replace the former ones', async () => {
    const { browser, secret, codes, signIn, id, clearLastStep } = await protectedUser();
    expect(codeOf(await browser.gql(renew, { c: '000000' }))).toBe('VALIDATION');
    const fresh = (await browser.gql(renew, { c: appCode(secret) })).data.renewRecoveryCodes.codes;
    await clearLastStep();
    expect(codeOf(await signIn(codes[0]))).toBe('VALIDATION');
    expect(codeOf(await signIn(fresh[0]))).toBe('OK');
    expect((await mailsTo(id)).slice(0, 2)).toEqual(['on', 'new_codes']);
  });

  it('turns it off only with a code, and deletes all its data', async () => {
    const { browser, codes, signIn, id } = await protectedUser();
    expect(codeOf(await browser.gql(end, { c: '000000' }))).toBe('VALIDATION');
    expect(codeOf(await signIn())).toBe('CODE_NEEDED');
    expect(codeOf(await browser.gql(end, { c: codes[3] }))).toBe('OK');
    expect(codeOf(await signIn())).toBe('OK');
    expect((await me(browser)).secondFactor).toBeNull();
    const rows = await api.db.rows(
      `select (select count(*)::int4 from second_factors where user_id = $1) +
              (select count(*)::int4 from recovery_codes where user_id = $1) as left`,
      [id],
    );
    expect(rows).toEqual([{ left: 0 }]);
    expect(await mailsTo(id)).toEqual(['on', 'off']);
    for (const call of [end, renew]) expect(codeOf(await browser.gql(call, { c: codes[4] }))).toBe('CONFLICT');
  });
});
