import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLog } from '../../src/base/log.ts';
import { processDuePayments } from '../../src/billing/process-due-payments.ts';
import { makeOutboxMailer, outboxFile } from '../../src/vendors/outbox-mail.ts';
import { purgeOutbox } from '../../src/vendors/purge-outbox.ts';
import { type Browser } from '../browser.ts';
import { emailParts, sendDueMails } from '../mail/mail-fixtures.ts';
import { makeTestApi, type TestApi } from '../make-app.ts';
import { type FakePayments, makeFakePayments } from '../payments/fake-payments.ts';
import { setUpFolder } from '../set-up.ts';
import { databaseTexts } from './database-texts.ts';
import { type LoggedDatabase, startLoggedDatabase } from './logged-database.ts';
import { type MarkedColumns, makeMarkedPerson, notExported, readMarks, staysAfterDeletion } from './marked-columns.ts';
import type { UserWithAllData } from './user-with-all-data.ts';

const TAG = 'zqmarked';
const folder = setUpFolder();
const outbox = outboxFile(folder);
const logged: string[] = [];
const writeToStderr = process.stderr.write.bind(process.stderr);
let db: LoggedDatabase;
let api: TestApi;
let payments: FakePayments;
let admin: Browser;
let person: UserWithAllData;
let found: MarkedColumns;

beforeAll(async () => {
  // Parts without a log of their own write security events to standard error.
  process.stderr.write = ((line: string) => logged.push(String(line)) > 0) as typeof process.stderr.write;
  db = await startLoggedDatabase();
  payments = makeFakePayments();
  const log = makeLog('test', (line) => logged.push(line));
  const env = { RATE_LIMITS: 'on', RATE_REGISTRATIONS_PER_ADDRESS: '1000', WEBHOOK_PRIVATE_NETWORK: 'on' };
  api = await makeTestApi({ db, payments, log, env });
  admin = await api.admin();
  person = await makeMarkedPerson(api, admin, TAG);
  const mailer = await makeOutboxMailer(outbox);
  await sendDueMails(emailParts(db, mailer, { log, confirmEmail: false }));
  await mailer.close();
  found = await readMarks(db.pool, person.id, TAG);
});
afterAll(async () => {
  await api?.close();
  await db?.close();
  process.stderr.write = writeToStderr;
});

const allMarks = () => [...found.marks].flatMap(([column, marks]) => marks.map((mark) => ({ column, mark })));
/** A marker can be the start of another one, so a longer one does not count. */
const holds = (text: string, mark: string) =>
  mark.startsWith(TAG) ? new RegExp(`${mark}(?![a-z-])`).test(text) : text.includes(mark);
/** The markers that occur in the texts of a dump or a log. */
const heldIn = (texts: readonly string[], marks = allMarks()) =>
  marks.filter(({ mark }) => texts.some((text) => text.includes(mark) && holds(text, mark)));

it('every column that can hold personal text has a marker', () => {
  expect(found.misplaced).toEqual([]);
});

it('a new text column without a marker is reported', async () => {
  await db.pool.query('alter table plans add column remarks text');
  expect((await readMarks(db.pool, person.id, TAG)).misplaced).toEqual(['plans.remarks']);
  await db.pool.query('alter table plans drop column remarks');
});

it('the export holds every marker except those of secrets', async () => {
  const text = JSON.stringify((await person.browser.gql('mutation { exportMyData }')).data.exportMyData);
  const names = (one: { column: string; mark: string }) => [one.column, one.mark.slice(TAG.length + 1)];
  const missing = allMarks().filter(({ mark }) => !holds(text, mark));
  expect(missing.filter((one) => !names(one).some((name) => name in notExported))).toEqual([]);
  const excused = missing.flatMap(names);
  expect(Object.keys(notExported).filter((name) => !excused.includes(name))).toEqual([]);
});

it('after the deletion no marker is left, except those that docs/privacy.md names', async () => {
  const marks = allMarks();
  expect(marks.length).toBeGreaterThan(70);
  const execute = 'mutation ($id: ID!) { executeDeletion(userId: $id) { message } }';
  payments.customers.add(`${TAG}-customer`);
  expect((await admin.gql(execute, { id: String(person.id) })).errors).toEqual([]);
  await processDuePayments(api.billing, db.pool);

  await expect.poll(() => db.lines.filter((line) => line.includes('delete from users'))).not.toEqual([]);
  const places = {
    database: await databaseTexts(db.pool),
    outbox: [readFileSync(outbox, 'utf8')],
    log: logged,
    'log of the database': db.lines,
  };
  const left = Object.entries(places).flatMap(([place, texts]) =>
    heldIn(texts, marks).map(({ column, mark }) => ({ place, column, mark })),
  );
  expect(left.filter(({ place, column }) => !(place in staysAfterDeletion || column in staysAfterDeletion))).toEqual(
    [],
  );

  const page = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');
  for (const [stays, words] of Object.entries(staysAfterDeletion)) {
    expect(page).toContain(words);
    expect(
      left.some(({ place, column }) => place === stays || column === stays),
      stays,
    ).toBe(true);
  }
  // The clean-up does this after 30 days.
  await purgeOutbox(outbox, new Date(Date.now() + 1), (work) => work(() => true));
  expect(heldIn([readFileSync(outbox, 'utf8')], marks)).toEqual([]);
});

it('a marker in the log of the database is found', async () => {
  const [first] = allMarks();
  const mark = first?.mark ?? '';
  expect(logged.length).toBeGreaterThan(3);
  await db.pool.query(`select '${mark}'`);
  await expect.poll(() => heldIn(db.lines, first ? [first] : [])).not.toEqual([]);
});
