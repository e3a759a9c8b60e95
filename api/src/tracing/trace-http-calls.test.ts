import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Work, workBegins } from '../base/traced.ts';
import { traceHttpCalls } from './trace-http-calls.ts';

const server = createServer((_request, response) => response.end());
const seen: Work[] = [];
const note = (work: unknown) => void seen.push(work as Work);
let stop: () => void;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  workBegins.subscribe(note);
  stop = traceHttpCalls();
});
afterAll(() => {
  stop();
  workBegins.unsubscribe(note);
  server.close();
});

/** Calls this machine under another name. */
async function call(host: string): Promise<Work | undefined> {
  seen.length = 0;
  const { port } = server.address() as AddressInfo;
  const request = get({
    host,
    port,
    path: '/a-secret',
    agent: false,
    lookup: (_host, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  const [response] = await once(request, 'response');
  await once(response.resume(), 'end');
  return seen[0];
}

it('the call of a vendor has its host', async () => {
  expect(await call('api.sendgrid.com')).toMatchObject({
    name: 'GET api.sendgrid.com',
    attributes: { 'http.request.method': 'GET', 'server.address': 'api.sendgrid.com' },
  });
});

it.each(['u8jz2kq.hooks.example', 'photos.dealer.example', 'api.sendgrid.com.example'])(
  'the call of %s, which a user or a seller named, has its method alone',
  async (host) => {
    const work = await call(host);
    expect(work).toMatchObject({ name: 'GET', kind: 'client' });
    expect(JSON.stringify(work)).not.toContain(host);
  },
);
