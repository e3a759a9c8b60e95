import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { setUpApi } from '../../test/make-app.ts';
import { purge } from '../../test/until-done.ts';
import { type CountedKind, type EnqueuedKind, type MailData, mailCaps } from '../domain/mail-kinds.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { enqueueMail, type NewMail } from './enqueue-mail.ts';

const api = setUpApi({ env: { CONFIRM_EMAIL: 'on' } });
afterEach(() => vi.restoreAllMocks());

/** Mails of every kind that can be laid down, as they are counted. */
const samples: { [K in CountedKind]: MailData[K extends EnqueuedKind ? K : 'reset'] } = {
  confirm: {},
  address_taken: {},
  test: {},
  reset: { passwordMark: 'x' },
  rescue: { passwordMark: 'x', isNeeded: true },
  contact: { name: 'x', email: 'x@example.test', subject: 'x', message: 'x' },
  address_change: { newAddress: 'x@example.test' },
  address_changed: { newAddress: null },
  new_device: { at: '2026-01-01T00:00:00Z', browser: null, system: null },
  key_changed: { at: '2026-01-01T00:00:00Z', what: 'made', name: 'x', prefix: 'x', mayWrite: false, worksUntil: null },
  webhook_changed: { at: '2026-01-01T00:00:00Z', what: 'added', host: 'x', hostBefore: null, byKey: false },
  password_changed: { at: '2026-01-01T00:00:00Z', how: 'changed' },
  second_factor_changed: { at: '2026-01-01T00:00:00Z', what: 'on' },
  webhook_paused: { webhookId: 1, host: 'x', because: 'gone' },
  text_cap: { cap: 1, resetsAt: '2026-01-01T00:00:00Z' },
  plan_changed: { fromPlanId: 1, toPlanId: 2, event: 'x', paused: 0, textsOff: 0, toResume: 0 },
  plan_ending: { planId: 2, endsAt: '2026-01-01T00:00:00Z' },
  payment_failed: { planId: 2, graceEndsAt: '2026-01-01T00:00:00Z' },
  grace_ending: { planId: 2, graceEndsAt: '2026-01-01T00:00:00Z' },
};
const counted = Object.entries(mailCaps).flatMap(([name, cap]) => (cap === null ? [] : [name as CountedKind]));
const uncounted = Object.keys(mailCaps).filter((name) => !counted.some((one) => one === name));
const mailOf = (name: CountedKind, to: string) =>
  ({ kind: name === 'rescue' ? 'reset' : name, userId: null, to, data: samples[name] }) as NewMail;
const lay = async (name: CountedKind, to: string) => (await enqueueMail(api.db.pool, mailOf(name, to))) !== '';
const times = <T>(count: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
const laidOf = (results: boolean[]) => results.filter(Boolean).length;
const mailsTo = async (pattern: string) =>
  (await api.db.pool.query('select from mails where to_address ilike $1', [pattern])).rowCount;

/** The log's lines about mails, as the process writes them. */
function hearLog(): string[] {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  return lines;
}

/** What takes an account back. */
const rescues: readonly CountedKind[] = [
  'address_change',
  'address_changed',
  'password_changed',
  'second_factor_changed',
  'rescue',
];

describe('the list of kinds', () => {
  const source = readFileSync(join(import.meta.dirname, '../domain/mail-kinds.ts'), 'utf8');
  const shapes = /interface MailData \{(.*?)\n\}/s.exec(source)?.[1] ?? '';
  const kinds = [...shapes.matchAll(/^ {2}(\w+):/gm)].map(([, kind]) => kind);

  it('has a cap for every kind but those that nobody can ask for', () => {
    expect(kinds.length).toBeGreaterThan(10);
    expect([...kinds, 'match', 'rescue'].sort()).toEqual([...counted, ...uncounted].sort());
    expect(uncounted).toEqual(['match', 'reminder', 'expired', 'idle_account']);
  });

  it('has a bound on all kinds together but for those to ourselves', () => {
    expect(counted.filter((name) => mailCaps[name].ofAll === null)).toEqual(['contact']);
  });

  it('lets nothing keep the mails that take an account back from leaving', () => {
    const others = counted.filter((name) => !rescues.includes(name)).map((name) => mailCaps[name].ofAll ?? 0);
    const own = rescues.map((name) => mailCaps[name].ofKind).reduce((sum, one) => sum + one, 0);
    for (const name of rescues) expect(mailCaps[name].ofAll).toBeGreaterThanOrEqual(Math.max(...others) + own);
  });

  it('is all there is: nobody else writes mails', () => {
    const src = join(import.meta.dirname, '..');
    const writers = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => /insert\s+into\s+mails\b/i.test(readFileSync(join(src, file), 'utf8')));
    expect(writers.sort()).toEqual([
      'notify/channels/email/claim-mails.ts',
      'notify/enqueue-mail.ts',
      'notify/enqueue-reminders.ts',
      'rights/idle-accounts.ts',
    ]);
  });
});

describe.each(counted)('mails counted as %s', (name) => {
  const { ofKind, ofAll } = mailCaps[name];
  const most = Math.min(ofKind, ofAll ?? ofKind);

  it('end at the cap of their address, however it is written and however many ask at once', async () => {
    const lines = hearLog();
    const spellings = [`${name}@example.test`, `${name.toUpperCase()}@Example.TEST`, `${name}+tag@example.test`];
    const results = await times(most + 7, (index) => lay(name, spellings[index % 3] ?? ''));
    expect(laidOf(results)).toBe(most);
    expect(await mailsTo(`${name}%@example.test`)).toBe(most);
    const told = lines.filter((line) => line.includes('"event":"mail.capped"'));
    expect(told).toHaveLength(7);
    expect(told.join()).not.toContain('example.test');
    expect(await lay(name, `${name}@elsewhere.test`)).toBe(true);
  });

  it('begin anew on the next day', async () => {
    hearLog();
    const to = `${name}@tomorrow.test`;
    await times(most, () => lay(name, to));
    expect(await lay(name, to)).toBe(false);
    await api.db.pool.query('update mail_counts set day = day - 1');
    expect(await lay(name, to)).toBe(true);
    expect((await purge(api.db.pool, 'mail-counts')).removed).toBeGreaterThan(0);
    expect(await lay(name, to)).toBe(most > 1);
  });
});

describe('a mailbox', () => {
  it('gets only so many of all kinds, and of those that strangers bring about fewer', async () => {
    hearLog();
    const to = 'all@example.test';
    const strangers: CountedKind[] = ['confirm', 'address_taken', 'reset'];
    const ofStrangers = await times(90, (index) => lay(strangers[index % 3] ?? 'confirm', to));
    expect(laidOf(ofStrangers)).toBe(20);
    const all = await times(300, (index) => lay(counted[index % counted.length] ?? 'confirm', to));
    const ofOwners = all.filter(
      (_, index) => (mailCaps[counted[index % counted.length] ?? 'confirm'].ofAll ?? 41) <= 40,
    );
    // Whatever came before them, the mails that take an account back all left, and the others stopped at 40 of all.
    expect(ofOwners.length).toBeGreaterThan(150);
    expect(laidOf(ofOwners)).toBeLessThanOrEqual(20);
    for (const name of rescues) {
      const { rows } = await api.db.pool.query(
        "select count(*)::int as laid from mails where to_address = $1 and kind = $2 and (data ? 'isNeeded') = $3",
        [to, name === 'rescue' ? 'reset' : name, name === 'rescue'],
      );
      expect([name, rows[0].laid]).toEqual([name, mailCaps[name].ofKind]);
    }
  });

  it('is not charged for what is rolled back, or for an account that is gone', async () => {
    const lines = hearLog();
    const to = 'undone@example.test';
    for (let turn = 0; turn < 12; turn += 1) {
      const undone = api.db.orm.em.fork().transactional(async (em) => {
        await enqueueMail(sqlOf(em), { kind: 'confirm', userId: null, to });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await enqueueMail(api.db.pool, { kind: 'confirm', userId: 999_999, to })).toBe('');
    }
    expect(await lay('confirm', to)).toBe(true);
    expect(lines).toEqual([]);
  });

  it('is counted for all who ask, and their answers stay the same', async () => {
    const lines = hearLog();
    const email = 'victim@example.test';
    await makeBrowser(api.url).register('victim');
    await api.db.pool.query("update users set email_confirmed_at = now() where username = 'victim'");
    await api.db.pool.query('delete from mails');
    const reset = 'mutation ($email: String!) { requestPasswordReset(email: $email) { message } }';
    const register = 'mutation ($input: RegisterInput!) { register(input: $input) { email emailConfirmed } }';
    const resend = 'mutation { resendConfirmation { message } }';
    const resets = await times(25, () => makeBrowser(api.url).gql(reset, { email }));
    expect(new Set(resets.map(({ status, data, errors }) => JSON.stringify([status, data, errors]))).size).toBe(1);
    const registered = await times(15, async (index) => {
      const browser = makeBrowser(api.url);
      const input = { username: `bomber-${index}`, password: 'secret-1', email };
      return [await browser.gql(register, { input }), await browser.gql(resend)];
    });
    expect(new Set(registered.flat().map(({ data, errors }) => JSON.stringify([data, errors]))).size).toBe(2);
    const { rows } = await api.db.pool.query(
      'select kind, count(*)::int as laid from mails where to_address = $1 group by 1 order by 1',
      [email],
    );
    expect(rows).toEqual([
      { kind: 'address_taken', laid: mailCaps.address_taken.ofKind },
      { kind: 'reset', laid: mailCaps.reset.ofKind },
    ]);
    expect(lines.filter((line) => line.includes('"kind":"reset"'))).toHaveLength(25 - mailCaps.reset.ofKind);
  });

  it('of two that change to each other’s addresses at once both get their mails', async () => {
    for (let round = 0; round < 8; round += 1) {
      const people = await times(2, async (index) => {
        const browser = makeBrowser(api.url);
        const id = await browser.register(`cross-${round}-${index}`);
        await api.db.pool.query('update users set email_confirmed_at = now() where id = $1', [id]);
        return browser;
      });
      const update = 'mutation ($email: String!) { updateProfile(input: { email: $email }) { pendingEmail } }';
      const answers = await Promise.all(
        people.map((browser, index) => browser.gql(update, { email: `cross-${round}-${1 - index}@example.test` })),
      );
      expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    }
  });
});
