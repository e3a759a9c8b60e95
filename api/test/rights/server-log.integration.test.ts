import { afterAll, beforeAll, expect, it } from 'vitest';
import { User } from '../../src/entities/user.ts';
import { type Browser } from '../browser.ts';
import { makeTestApi, type TestApi } from '../make-app.ts';
import { type LoggedDatabase, startLoggedDatabase } from './logged-database.ts';
import { makeUserWithAllData, type UserWithAllData } from './user-with-all-data.ts';

let db: LoggedDatabase;
let api: TestApi;
let admin: Browser;

beforeAll(async () => {
  db = await startLoggedDatabase();
  api = await makeTestApi({ db, env: { RATE_LIMITS: 'on', RATE_REGISTRATIONS_PER_ADDRESS: '1000' } });
  admin = await api.admin();
});
afterAll(async () => {
  await api.close();
  await db.close();
});

/** Calls that a user with all data has not made yet. */
async function useProduct(person: UserWithAllData, tag: string): Promise<void> {
  const { browser } = person;
  await browser.gql('mutation ($input: ProfileInput!) { updateProfile(input: $input) { id } }', {
    input: { email: `${tag}-later@example.test`, phone: '5125550123' },
  });
  await browser.gql('mutation ($input: ContactInput!) { sendContactMessage(input: $input) { message } }', {
    input: { name: `${tag}-a`, email: `${tag}-b@example.test`, subject: `${tag}-c`, message: `${tag}-d` },
  });
  await browser.gql('mutation ($email: String!) { requestPasswordReset(email: $email) { message } }', {
    email: `${tag}-later@example.test`,
  });
  await browser.gql('mutation ($id: ID!, $input: AlertPatch!) { updateAlert(id: $id, input: $input) { id } }', {
    id: String(person.alertId),
    input: { location: 'Springfield, IL', color: 'red' },
  });
  await browser.gql('mutation ($text: String!) { resetPassword(token: $text, newPassword: $text) { message } }', {
    text: `${tag}-token`,
  });
  await browser.gql('query ($text: String!) { locationSuggestions(text: $text) { label } }', { text: `${tag}-search` });
  await browser.gql('query ($text: String!) { readWish(text: $text) { notUnderstood } }', { text: `${tag}-wish` });
  await browser.gql('mutation { exportMyData }');
}

/** Personal data in statements that the server refuses. @returns the codes of the errors */
async function provokeErrors(person: UserWithAllData, tag: string): Promise<string[]> {
  const em = db.orm.em.fork();
  const codes: string[] = [];
  const refused = async (statement: Promise<unknown>) => {
    const error: unknown = await statement.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    codes.push(error !== null && typeof error === 'object' && 'code' in error ? String(error.code) : 'none');
  };
  const same = { username: person.username, passwordHash: `${tag}-hash`, email: `${tag}-e@example.test` };
  await refused(em.fork().persist(em.create(User, same)).flush());
  await refused(em.execute('insert into users (username, email) values (?, ?)', [`${tag}-null`, `${tag}-f@x.test`]));
  await refused(
    db.pool.query('insert into users (username, password_hash) values ($1, $2)', [person.username, `${tag}-hash`]),
  );
  await refused(
    db.pool.query('insert into idempotency_keys (key, answer) values ($1, $2)', [`${tag}-key`, `{"${tag}`]),
  );
  await refused(db.pool.query('select pg_sleep(0.05), $1::text, 1 / $2::int', [`${tag}-shown`, 0]));
  await refused(em.execute('select pg_sleep(0.05), ?::text, 1 / ?::int', [`${tag}-shown`, 0]));
  return codes;
}

/** Lines of the server's log that hold one of the texts. */
const linesWith = (marks: readonly string[]) =>
  db.lines.filter((line) => marks.some((mark) => mark.length > 0 && line.includes(mark)));

it('the log of the database holds no personal data, with every statement and every error logged', async () => {
  const tag = 'zqlogged';
  const person = await makeUserWithAllData(api, tag);
  await useProduct(person, tag);
  const hashes = await db.rows(
    'select password_hash as hash from users union all select code_hash::text from phone_codes',
  );
  const sessions = await db.rows('select sid from session');
  expect(await provokeErrors(person, tag)).toEqual(['23505', '23502', '23505', '22P02', '22012', '22012']);
  await db.pool.query("update deletion_requests set status = 'approved' where user_id = $1 and status = 'pending'", [
    person.id,
  ]);
  const erased = await admin.gql('mutation ($id: ID!) { executeDeletion(userId: $id) { message } }', {
    id: String(person.id),
  });
  expect(erased.errors).toEqual([]);

  const marks = [
    tag,
    '5125550123',
    ...person.secrets,
    ...hashes.map(({ hash }) => hash),
    ...sessions.map(({ sid }) => sid),
  ];
  await expect.poll(() => db.lines.filter((line) => line.includes('delete from users'))).not.toEqual([]);
  expect(db.lines.filter((line) => /duplicate key|division by zero/.test(line)).length).toBeGreaterThanOrEqual(4);
  expect(db.lines.filter((line) => /insert into "?users.*\$2/.test(line)).length).toBeGreaterThanOrEqual(2);
  expect(linesWith(marks)).toEqual([]);
  // Proves that the search would find them.
  await db.pool.query(`select '${tag}'`);
  await expect.poll(() => linesWith(marks)).not.toEqual([]);
});
