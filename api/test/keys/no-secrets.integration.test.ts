import { expect, it } from 'vitest';
import { makeLog } from '../../src/base/log.ts';
import { type Browser } from '../browser.ts';
import { setUpApi } from '../make-app.ts';
import { databaseTexts } from '../rights/database-texts.ts';
import { type KeyHolder, makeKey, makeKeyHolder, setPlan } from './key-holder.ts';

const PASSWORDS = ['first-Pa55word-zq', 'second-Pa55word-zq', 'wrong-Pa55word-zq'];

const logged: string[] = [];
const api = setUpApi({ log: makeLog('test', (line) => logged.push(line)) });

/** The secret itself and in the encodings that a dump or a log may use. */
const encodings = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)];
};

const found = (texts: readonly string[], secrets: readonly string[]): string[] =>
  secrets.flatMap((secret) =>
    texts.filter((text) => encodings(secret).some((encoded) => text.toLowerCase().includes(encoded.toLowerCase()))),
  );

/** Sends a key in every right and wrong place of a request. */
async function useEverywhere(holder: KeyHolder, browser: Browser): Promise<void> {
  const { secret } = holder;
  await holder.fetch('/api/user');
  await holder.fetch(`/api/alerts/${secret}`);
  await holder.gql('{ me { id } }');
  await holder.gql(`mutation { deleteAlert(id: "${secret}") }`);
  await holder.gql('mutation ($input: AlertInput!) { createAlert(input: $input) { id } }', { input: { make: secret } });
  await holder.gql(`{ ${secret} }`);
  await holder.fetch('/api/alerts', { method: 'POST', headers: { 'content-type': 'application/json' }, body: secret });
  await fetch(`${api.url}/api/user`, { headers: { authorization: `Basic ${secret}` } });
  await fetch(`${api.url}/api/user?api_key=${secret}`);
  await makeKeyHolder(api.url, { secret: `${secret}x` }).fetch('/api/user');
  for (const options of [{}, { parameters: { Authorization: secret } }, { parameters: { token: secret } }]) {
    await holder
      .socket(options)
      .iterate({ query: '{ me { id } }' })
      .next()
      .catch(() => undefined);
  }
  await browser.gql(`mutation { revokeApiKey(id: "${secret}") }`);
  await browser.gql('mutation ($u: String!, $p: String!) { login(username: $u, password: $p) { id } }', {
    u: secret,
    p: secret,
  });
}

it('neither a dump of the database nor a log holds a key or a password in plain text, however they were used', async () => {
  const [password = '', nextPassword = '', wrong = ''] = PASSWORDS;
  const { browser, id: userId } = await api.user('careful', { password });
  await setPlan(api, userId, 4);
  await browser.login('careful', wrong);
  await browser.login('careful', password);
  const change =
    'mutation ($c: String!, $n: String!) { changePassword(currentPassword: $c, newPassword: $n) { message } }';
  await browser.gql(change, { c: wrong, n: nextPassword });
  await browser.gql(change, { c: password, n: nextPassword });
  await browser.gql(change, { c: { [nextPassword]: 1 }, n: nextPassword });

  const kept = await makeKey(api, browser);
  const revoked = await makeKey(api, browser);
  await useEverywhere(kept, browser);
  const { data } = await browser.gql(`mutation { rotateApiKey(id: "${kept.id}") { apiKey { id } secret } }`);
  const rotated = makeKeyHolder(api.url, { id: data.rotateApiKey.apiKey.id, secret: data.rotateApiKey.secret });
  await useEverywhere(rotated, browser);
  await browser.gql(`mutation { revokeApiKey(id: "${revoked.id}") }`);
  await useEverywhere(revoked, browser);
  await setPlan(api, userId, 1);
  await useEverywhere(rotated, browser);
  // An internal error is logged with its details.
  await api.db.pool.query('alter table api_allowances rename to api_allowances_away');
  await useEverywhere(rotated, browser);
  await api.db.pool.query('alter table api_allowances_away rename to api_allowances');
  await api.keys.flushUsage();

  const secrets = [kept, revoked, rotated].map(({ secret }) => secret);
  expect(secrets.every((secret) => secret.length === 57)).toBe(true);
  expect(logged.length).toBeGreaterThan(0);
  const texts = [...(await databaseTexts(api.db.pool)), ...logged];
  expect(texts.some((text) => text.includes(kept.secret.slice(0, 16)))).toBe(true);
  expect(found(texts, [...secrets, ...PASSWORDS])).toEqual([]);
  // Proves that the search would find them.
  await api.db.pool.query('update api_keys set secret_hash = $1 where id = $2', [Buffer.from(kept.secret), kept.id]);
  await api.db.pool.query('update users set time_zone = $1 where id = $2', [password, userId]);
  expect(found(await databaseTexts(api.db.pool), [...secrets, ...PASSWORDS])).toHaveLength(2);
});
