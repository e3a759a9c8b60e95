import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { untilServed } from './outage.ts';

const answers: [status: number, body: string][] = [
  [503, '{"errors":[{"extensions":{"code":"UNAVAILABLE"}}]}'],
  [200, '{"errors":[{"message":"away"}],"data":{"me":null}}'],
  [200, '{"data":{"me":null}}'],
  [200, '{"data":{"me":{"id":"1","newCount":0}}}'],
];
const cookies: (string | undefined)[] = [];
const server = createServer((request, response) => {
  cookies.push(request.headers.cookie);
  const [status, body] = answers[Math.min(cookies.length, answers.length) - 1] ?? [500, ''];
  response.writeHead(status).end(body);
});
afterAll(() => server.close());

it('waits until an api has answered a signed-in buyer, and takes no error and nobody for an answer', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const before = Date.now();
  const at = await untilServed(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { cookie: 'a=b' });
  expect(cookies).toEqual(['a=b', 'a=b', 'a=b', 'a=b']);
  expect(at).toBeGreaterThanOrEqual(before);
});
