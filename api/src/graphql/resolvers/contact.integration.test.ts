import { afterEach, expect, it } from 'vitest';
import { makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { NOBODY } from '../../domain/mail-kinds.ts';

const api = setUpApi({ env: { CONFIRM_EMAIL: 'on', SUPPORT_EMAIL: 'help@lotwatch.example' } });
afterEach(() => api.db.pool.query('truncate contact_messages, mails, rate_limits cascade'));

const send = 'mutation ($input: ContactInput!) { sendContactMessage(input: $input) { message } }';
const input = { name: 'Ada', email: 'ada@home.example', subject: 'My alert', message: 'It stays\nquiet.' };
const rows = (text: string) => api.db.rows(text);
const kept = () => rows('select user_id as "userId", name, email, subject, message from contact_messages');
const mails = () => rows('select kind, user_id as "userId", to_address as "to", data from mails order by created_at');

it("stores a visitor's message and mails it to the support address, with any CONFIRM_EMAIL", async () => {
  const { data, errors } = await makeBrowser(api.url).gql(send, { input });
  expect(errors).toEqual([]);
  expect(data.sendContactMessage.message).toBe('Thank you for your message. We answer to ada@home.example.');
  expect(await kept()).toEqual([{ userId: null, ...input }]);
  expect(await mails()).toEqual([{ kind: 'contact', userId: NOBODY, to: 'help@lotwatch.example', data: input }]);
});

it('stores who was signed in, and deletes the message with the account', async () => {
  const { browser, id: userId } = await api.user('ada');
  await api.db.pool.query('delete from mails');
  expect((await browser.gql(send, { input })).errors).toEqual([]);
  expect(await kept()).toEqual([{ userId, ...input }]);
  expect(await mails()).toMatchObject([{ kind: 'contact', userId }]);
  await browser.gql('mutation { requestDeletion(reason: "Enough") { requestId } }');
  await api.db.pool.query("update deletion_requests set status = 'approved' where user_id = $1", [userId]);
  const erase = 'mutation ($id: ID!) { executeDeletion(userId: $id) { message } }';
  expect((await (await api.admin()).gql(erase, { id: String(userId) })).errors).toEqual([]);
  expect(await kept()).toEqual([]);
});

it('refuses a missing or mistyped value with an error on its field, and stores nothing', async () => {
  const browser = makeBrowser(api.url);
  const refused = async (given: unknown) => (await browser.gql(send, { input: given })).errors[0]?.extensions;
  const { subject: _subject, ...without } = input;
  expect(await refused(without)).toMatchObject({ code: 'VALIDATION', fields: { subject: 'Required' } });
  expect(await refused({ ...input, name: null })).toMatchObject({ code: 'VALIDATION', fields: { name: 'Required' } });
  expect(await refused({ ...input, message: 7 })).toMatchObject({
    fields: { message: 'String cannot represent a non string value.' },
  });
  expect(await refused({ ...input, name: ' ', email: 'ada' })).toMatchObject({
    code: 'VALIDATION',
    fields: { name: 'Required', email: 'Please enter a valid email' },
  });
  expect((await browser.gql(send, { input: { ...input, message: 'x'.repeat(300_000) } })).status).toBe(413);
  expect([await kept(), await mails()]).toEqual([[], []]);
});

it('removes characters that PostgreSQL or a mail header refuses, and stores and mails the rest', async () => {
  const hostile = {
    ...input,
    subject: 'Hi\r\nBcc: x@y.example\u0000\ud83d',
    message: `\u0000'; drop table users; -- \ud83d`,
  };
  const { errors } = await makeBrowser(api.url).gql(send, { input: hostile });
  expect(errors).toEqual([]);
  const stored = { subject: 'Hi Bcc: x@y.example', message: `\ufffd'; drop table users; -- \ufffd` };
  expect(await kept()).toMatchObject([stored]);
  expect(await mails()).toMatchObject([{ data: stored }]);
});

it('stores no message whose mail can not be queued', async () => {
  await api.db.pool.query('alter table mails add constraint no_contact check (kind <> $$contact$$)');
  try {
    const { errors } = await makeBrowser(api.url).gql(send, { input });
    expect(errors[0]?.extensions.code).toBe('INTERNAL');
    expect(await kept()).toEqual([]);
  } finally {
    await api.db.pool.query('alter table mails drop constraint no_contact');
  }
});

it('limits the messages of a user and of a network per hour, and does not count refused ones', async () => {
  const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on' } });
  try {
    const { browser } = await limited.user('writer');
    const write = async (given: unknown = input) => (await browser.gql(send, { input: given })).status;
    expect(await write({ ...input, name: '' })).toBe(200);
    for (let sent = 0; sent < 10; sent += 1) expect(await write()).toBe(200);
    const refused = await browser.gql(send, { input });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const visitor = makeBrowser(limited.url);
    // The eleventh was counted at the address before it was refused.
    for (let sent = 0; sent < 9; sent += 1) expect((await visitor.gql(send, { input })).status).toBe(200);
    expect((await visitor.gql(send, { input })).status).toBe(429);
    expect(await kept()).toHaveLength(19);
  } finally {
    await limited.close();
  }
});
