import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { makeTestApi, type TestApi } from '../../test/make-app.ts';

let api: TestApi;
beforeAll(async () => {
  api = await makeTestApi();
});
afterAll(() => api.close());

const login = 'mutation ($u: String!, $p: String!) { login(username: $u, password: $p) { id } }';

it('writes the session of a login once, so that none comes back that has been ended meanwhile', async () => {
  await makeBrowser(api.url).register('ana');
  await api.db.pool.query(`
    create table session_writes (sid text);
    create function note_session_write() returns trigger language plpgsql as
      'begin insert into session_writes values (new.sid); return null; end';
    create trigger note_session_write after insert or update on session
      for each row execute function note_session_write()`);
  const browser = makeBrowser(api.url);
  await browser.gql(login, { u: 'ana', p: 'secret-1' });
  const { rowCount } = await api.db.pool.query('select from session_writes');
  expect((await browser.gql('{ me { username } }')).data.me).toEqual({ username: 'ana' });
  expect(rowCount).toBe(1);
});
