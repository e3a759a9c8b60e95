import { type Browser, makeBrowser } from '../browser.ts';
import type { TestApi } from '../make-app.ts';
import { makeWholePerson, type WholePerson } from './whole-person.ts';

/**
 * A whole person who has also used what the product offers: profile, messages, keys, webhooks, phone codes and a second
 * device. Each text of theirs begins with the tag and a hyphen and is like no other. What no call can bring about in a
 * test, as a vendor's answer, is written into the rows.
 */
export async function makeMarkedPerson(api: TestApi, admin: Browser, tag: string): Promise<WholePerson> {
  const { pool } = api.db;
  const person = await makeWholePerson(api, tag);
  const { id, browser } = person;
  const ask = async (by: Browser, query: string, variables: Record<string, unknown> = {}) => {
    const answer = await by.gql(query, variables);
    if (answer.errors[0]) throw new Error(`${query}: ${answer.errors[0].message}`);
    return answer.data;
  };

  await ask(browser, 'mutation ($input: ContactInput!) { sendContactMessage(input: $input) { message } }', {
    input: {
      name: `${tag}-form-name`,
      email: `${tag}-form-address@example.test`,
      subject: `${tag}-form-subject`,
      message: `${tag}-form-message`,
    },
  });
  await ask(browser, 'mutation ($input: ProfileInput!) { updateProfile(input: $input) { id } }', {
    input: { email: `${tag}-profile-address@example.test` },
  });
  await ask(makeBrowser(api.url), 'mutation ($email: String!) { requestPasswordReset(email: $email) { message } }', {
    email: `${tag}-address@example.test`,
  });
  const device = makeBrowser(api.url);
  const login = 'mutation ($name: String!, $password: String!) { login(username: $name, password: $password) { id } }';
  await device.gql(login, { name: person.username, password: `${tag}-wrong-password` });
  await ask(device, login, { name: person.username, password: 'secret-1' });
  await ask(browser, 'mutation ($id: ID!) { sendTestNotification(alertId: $id) { message } }', {
    id: String(person.alertId),
  });
  await pool.query('update users set plan_id = 4 where id = $1', [id]);
  await ask(browser, 'mutation ($url: String!) { createWebhook(url: $url, events: ["match.created"]) { secret } }', {
    url: `http://127.0.0.1:9/${tag}-hook-path`,
  });
  await ask(browser, 'mutation ($name: String!) { createApiKey(name: $name, scopes: [read]) { secret } }', {
    name: `${tag}-second-key`,
  });
  await pool.query('update users set plan_id = 1 where id = $1', [id]);
  const { myDeletionRequests } = await ask(browser, '{ myDeletionRequests { requestId status } }');
  const open = myDeletionRequests.find(({ status }: { status: string }) => status === 'pending');
  await ask(
    admin,
    'mutation ($id: ID!, $notes: String!) { updateDeletionRequest(requestId: $id, status: approved, notes: $notes) { status } }',
    { id: open.requestId, notes: `${tag}-admin-notes` },
  );

  // Of a number that they had before, and that replied STOP.
  await pool.query('insert into text_stops (phone) values ($1)', [`${tag}-texted-to`]);
  await pool.query('update users set email_confirmed_at = now() where id = $1', [id]);
  await pool.query('update billing_customers set told_email = $2 where user_id = $1', [id, `${tag}-told-address`]);
  await pool.query('update billing_events set error = $2 where customer_id = $1', [
    `${tag}-customer`,
    `${tag}-payment-error`,
  ]);
  await pool.query('update texts set delivery = $2 where user_id = $1', [id, `${tag}-delivery-state`]);
  await pool.query('update idempotency_keys set answer = $2 where user_id = $1', [id, `{"told":"${tag}-answer"}`]);
  return person;
}
