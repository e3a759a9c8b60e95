import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import compression from 'compression';
import express, { type RequestHandler } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { setUpApi } from '../../test/make-app.ts';
import { silentLog } from '../base/log.ts';
import { makeSendWithData } from './first-data.ts';
import { makeSessions } from './sessions.ts';

const api = setUpApi();

it('leaves the page plain when the session is late, which then harms neither the answer nor the session', async () => {
  const { browser } = await api.user('buyer');
  const sessions = makeSessions({
    pool: api.db.pool,
    secret: api.sessionSecret,
    deviceSecret: api.sessionSecret,
    publicUrl: 'http://localhost:4000',
    addressOf: () => '127.0.0.1',
    log: silentLog,
  });
  let read = 0;
  const middleware: RequestHandler = (request, response, next) =>
    sessions.middleware(request, response, (error?: unknown) => {
      next(error);
      read++;
    });
  const html = '<body>shell</body></html>';
  const page = { path: '/page', asks: [{ name: 'Viewer', text: '{ me }', variables: {}, unless: [] }] };
  const parts = {
    sessions: { ...sessions, middleware },
    limits: { request: async () => {} },
    answer: async () => ({}),
    policyOf: () => '',
  };
  const app = express().use(compression());
  for (const waitMs of [50, 20_000]) {
    const send = makeSendWithData({ ...parts, waitMs });
    app.get(`/${waitMs}`, async (request, response) => {
      if (!(await send(request, response, page, { html, styles: [] }))) response.send(html);
    });
  }
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    sessions.close();
  });
  await once(server, 'listening');
  const visit = async (waitMs: number) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${waitMs}`;
    const answer = await fetch(url, { headers: { cookie: browser.cookie ?? '' } });
    return { text: await answer.text(), cookie: answer.headers.get('set-cookie') };
  };

  const other = await api.db.pool.connect();
  try {
    await other.query('begin; lock table session in access exclusive mode');
    expect(await visit(50)).toEqual({ text: html, cookie: null });
    expect(read).toBe(0);
  } finally {
    await other.query('rollback');
    other.release();
  }
  await expect.poll(() => read, { timeout: 20_000 }).toBe(1);
  expect((await visit(20_000)).text).toContain('id="first-data"');
});
