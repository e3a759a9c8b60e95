import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { onCluster } from '../../test/database.ts';
import { chooseForTest, layouts } from '../../test/layouts.ts';
import { setUpApi } from '../../test/make-app.ts';
import { purge } from '../../test/until-done.ts';
import {
  type CountedKind,
  carMailKinds,
  type EnqueuedKind,
  type MailData,
  mailCaps,
  NOBODY,
} from '../domain/mail-kinds.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { enqueueMail, type NewMail } from './enqueue-mail.ts';

const api = setUpApi({ env: { CONFIRM_EMAIL: 'on' } });
afterEach(() => vi.restoreAllMocks());

/** The data of a mail of every kind that is counted. */
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
  push_added: { at: '2026-01-01T00:00:00Z', browser: null, system: null },
  password_changed: { at: '2026-01-01T00:00:00Z', how: 'changed' },
  second_factor_changed: { at: '2026-01-01T00:00:00Z', what: 'on' },
  webhook_paused: { webhookId: 1, host: 'x', because: 'gone' },
  text_cap: { cap: 1, resetsAt: '2026-01-01T00:00:00Z' },
  text_limit: { texts: 'match', segments: 1, resetsAt: '2026-01-01T00:00:00Z' },
  plan_changed: { fromPlanId: 1, toPlanId: 2, event: 'x', paused: 0, textsOff: 0, toResume: 0 },
  plan_ending: { planId: 2, endsAt: '2026-01-01T00:00:00Z' },
  payment_failed: { planId: 2, graceEndsAt: '2026-01-01T00:00:00Z' },
  grace_ending: { planId: 2, graceEndsAt: '2026-01-01T00:00:00Z' },
};
const counted = Object.entries(mailCaps).flatMap(([name, cap]) => (cap === null ? [] : [name as CountedKind]));
const uncounted = Object.keys(mailCaps).filter((name) => !counted.some((one) => one === name));
const mailOf = (name: CountedKind, to: string) =>
  ({ kind: name === 'rescue' ? 'reset' : name, userId: NOBODY, to, data: samples[name] }) as NewMail;
const enqueue = async (name: CountedKind, to: string) => (await enqueueMail(api.db.pool, mailOf(name, to))) !== '';
const times = <T>(count: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
const acceptedOf = (results: boolean[]) => results.filter(Boolean).length;
const mailsTo = async (pattern: string) =>
  (await api.db.pool.query('select from mails where to_address ilike $1', [pattern])).rowCount;

/** @returns an array that collects the lines that this process logs from now on */
function captureLog(): string[] {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  return lines;
}

/** The kinds of mails by which an owner restores an account. */
const rescues: readonly CountedKind[] = [
  'address_change',
  'address_changed',
  'password_changed',
  'second_factor_changed',
  'rescue',
];

describe('the list of mail kinds', () => {
  const source = readFileSync(join(import.meta.dirname, '../domain/mail-kinds.ts'), 'utf8');
  const shapes = /interface MailData \{(.*?)\n\}/s.exec(source)?.[1] ?? '';
  const kinds = [...shapes.matchAll(/^ {2}(\w+):/gm)].map(([, kind]) => kind);

  it('has a cap for every kind that a request can cause', () => {
    expect(kinds.length).toBeGreaterThan(10);
    expect([...kinds, ...carMailKinds, 'rescue'].sort()).toEqual([...counted, ...uncounted].sort());
    expect(uncounted).toEqual([...carMailKinds, 'reminder', 'expired', 'idle_account']);
  });

  it('has a cap on all kinds together, except for mails to the operators', () => {
    expect(counted.filter((name) => mailCaps[name].ofAll === null)).toEqual(['contact', 'text_limit']);
  });

  it('leaves room for the mails that restore an account, however many other mails were sent', () => {
    const others = counted.filter((name) => !rescues.includes(name)).map((name) => mailCaps[name].ofAll ?? 0);
    const own = rescues.map((name) => mailCaps[name].ofKind).reduce((sum, one) => sum + one, 0);
    for (const name of rescues) expect(mailCaps[name].ofAll).toBeGreaterThanOrEqual(Math.max(...others) + own);
  });

  it('covers all code that writes mails', () => {
    const src = join(import.meta.dirname, '..');
    const writers = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => /insert\s+into\s+mails\b/i.test(readFileSync(join(src, file), 'utf8')));
    expect(writers.sort()).toEqual([
      'notify/channels/email/claim-mails.ts',
      'notify/enqueue-mail.ts',
      'notify/enqueue-reminders.ts',
      // Only mails that were sent before a restore, with their counts.
      'notify/restored/mark-restored.ts',
      'rights/idle-accounts.ts',
    ]);
  });
});

describe.each(counted)('mails counted as %s', (name) => {
  const { ofKind, ofAll } = mailCaps[name];
  const most = Math.min(ofKind, ofAll ?? ofKind);

  const areCappedPerAddress = async (domain: string) => {
    const lines = captureLog();
    const [small, large] = [domain, domain.toUpperCase()];
    const spellings = [`${name}@${small}.test`, `${name.toUpperCase()}@${large}.TEST`, `${name}+tag@${small}.test`];
    const results = await times(most + 7, (index) => enqueue(name, spellings[index % 3] ?? ''));
    expect(acceptedOf(results)).toBe(most);
    expect(await mailsTo(`${name}%@${domain}.test`)).toBe(most);
    const capped = lines.filter((line) => line.includes('"event":"mail.capped"'));
    expect(capped).toHaveLength(7);
    expect(capped.join()).not.toContain(`${domain}.test`);
    expect(await enqueue(name, `${name}@else-${domain}.test`)).toBe(true);
  };

  it('are capped per address, however it is spelled and however many requests are concurrent', () =>
    areCappedPerAddress('example'));

  it.skipIf(onCluster)('are capped by the same rule in statements for several servers', async () => {
    chooseForTest('citus');
    await areCappedPerAddress('apart');
  });

  it('start again from zero on the next day', async () => {
    captureLog();
    const to = `${name}@tomorrow.test`;
    await times(most, () => enqueue(name, to));
    expect(await enqueue(name, to)).toBe(false);
    await api.db.pool.query('update mail_counts set day = day - 1');
    expect(await enqueue(name, to)).toBe(true);
    expect((await purge(api.db.pool, 'mail-counts')).removed).toBeGreaterThan(0);
    expect(await enqueue(name, to)).toBe(most > 1);
  });
});

describe('a mailbox', () => {
  it('has a cap on all kinds together, and a lower one on kinds that strangers can cause', async () => {
    captureLog();
    const to = 'all@example.test';
    const strangers: CountedKind[] = ['confirm', 'address_taken', 'reset'];
    const ofStrangers = await times(90, (index) => enqueue(strangers[index % 3] ?? 'confirm', to));
    expect(acceptedOf(ofStrangers)).toBe(20);
    const all = await times(300, (index) => enqueue(counted[index % counted.length] ?? 'confirm', to));
    const ofOwners = all.filter(
      (_, index) => (mailCaps[counted[index % counted.length] ?? 'confirm'].ofAll ?? 41) <= 40,
    );
    // All mails that restore an account were queued, whatever came before them; the others stopped at 40 of all kinds.
    expect(ofOwners.length).toBeGreaterThan(150);
    expect(acceptedOf(ofOwners)).toBeLessThanOrEqual(20);
    for (const name of rescues) {
      const row = await api.db.row(
        "select count(*)::int as queued from mails where to_address = $1 and kind = $2 and (data ? 'isNeeded') = $3",
        [to, name === 'rescue' ? 'reset' : name, name === 'rescue'],
      );
      expect([name, row.queued]).toEqual([name, mailCaps[name].ofKind]);
    }
  });

  it.each(layouts)(
    'does not count mails that were rolled back, or for a deleted account, where tables are %s',
    async (layout) => {
      chooseForTest(layout);
      const lines = captureLog();
      const to = `undone@${layout}.test`;
      for (let turn = 0; turn < 12; turn += 1) {
        const undone = api.db.orm.em.fork().transactional(async (em) => {
          await enqueueMail(sqlOf(em), { kind: 'confirm', userId: NOBODY, to });
          throw new Error('undone');
        });
        await expect(undone).rejects.toThrow('undone');
        expect(await enqueueMail(api.db.pool, { kind: 'confirm', userId: 999_999, to })).toBe('');
      }
      expect(await enqueue('confirm', to)).toBe(true);
      expect(lines).toEqual([]);
    },
  );

  it('has one count for all senders, and their answers do not reveal it', async () => {
    const lines = captureLog();
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
    const rows = await api.db.rows(
      'select kind, count(*)::int as queued from mails where to_address = $1 group by 1 order by 1',
      [email],
    );
    expect(rows).toEqual([
      { kind: 'address_taken', queued: mailCaps.address_taken.ofKind },
      { kind: 'reset', queued: mailCaps.reset.ofKind },
    ]);
    expect(lines.filter((line) => line.includes('"kind":"reset"'))).toHaveLength(25 - mailCaps.reset.ofKind);
  });

  it('gets its mail when two accounts change to each other’s addresses concurrently', async () => {
    for (let round = 0; round < 8; round += 1) {
      const people = await times(2, async (index) => {
        const { browser, id } = await api.user(`cross-${round}-${index}`);
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
