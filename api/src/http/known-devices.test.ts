import type { IncomingMessage } from 'node:http';
import express, { type Request } from 'express';
import { expect, it } from 'vitest';
import type { Secret } from '../base/secret.ts';
import { makeKnownDevices } from './known-devices.ts';

const [OLD, NEW] = ['the secret before', 'the secret now'] as const;

const requestWith = (cookie: string | undefined) => ({ headers: { cookie } }) as IncomingMessage as Request;

/** The device's cookie and id after a login with these secrets. */
async function logIn(secret: Secret, username: string, cookie?: string): Promise<{ cookie: string; name: string }> {
  const devices = makeKnownDevices(secret, 'http://localhost:4000');
  let name = '';
  const app = express().use(devices.middleware, (_request, response) => {
    name = devices.remember(requestWith(cookie), response, username);
    response.end();
  });
  const server = app.listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const answer = await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
    return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', name };
  } finally {
    server.close();
  }
}

it('a device is known by a former secret, and its next login signs the cookie with the newest', async () => {
  const before = await logIn(OLD, 'ana');
  const nameUnder = (secret: Secret, cookie: string) =>
    makeKnownDevices(secret, 'http://localhost:4000').idOf(requestWith(cookie), ' ANA');
  expect(nameUnder(NEW, before.cookie)).toBeNull();
  expect(nameUnder([NEW, OLD], before.cookie)).toBe(before.name);
  const after = await logIn([NEW, OLD], 'Ana', before.cookie);
  expect(after.name).toBe(before.name);
  expect(nameUnder(NEW, after.cookie)).toBe(before.name);
  expect(after.cookie.split('.')).toHaveLength(1);
});

it('a device remembers the last eight accounts that signed in', async () => {
  let cookie: string | undefined;
  for (let account = 1; account <= 9; account += 1) ({ cookie } = await logIn(NEW, `user-${account}`, cookie));
  const devices = makeKnownDevices(NEW, 'http://localhost:4000');
  const known = Array.from({ length: 9 }, (_, at) => devices.idOf(requestWith(cookie), `user-${at + 1}`) !== null);
  expect(known).toEqual([false, ...Array.from({ length: 8 }, () => true)]);
});
