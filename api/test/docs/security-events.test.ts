import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { makeSecurityLog, securityEvents } from '../../src/base/security-events.ts';

const page = readFileSync(new URL('../../docs/security-events.md', import.meta.url), 'utf8');

it('the page lists every security event with its fields, and no other', () => {
  const rows = [...page.matchAll(/^\| `([\w.]+)` \| (.+) \| (.+) \|$/gm)].map(([, event, says, fields]) => [
    event,
    says,
    fields?.replaceAll('`', '').split(', '),
  ]);
  expect(rows).toEqual(Object.entries(securityEvents).map(([event, { says, fields }]) => [event, says, [...fields]]));
});

const linesOf = () => {
  const lines: unknown[] = [];
  const at = { ms: 0 };
  const log = { ...silentLog, info: (_message: string, fields: unknown) => lines.push(fields) };
  return { lines, at, security: makeSecurityLog(log, 'a secret', () => at.ms) };
};

it('writes the same refusal once a minute, and everything else each time', () => {
  const { lines, at, security } = linesOf();
  const hit = (operation: string) => security.note('limit.hit', { userId: 7, operation });
  hit('me');
  hit('me');
  hit('alerts');
  security.note('login.failed', { account: 'a' });
  security.note('login.failed', { account: 'a' });
  at.ms = 60_001;
  hit('me');
  expect(lines).toEqual([
    { event: 'limit.hit', userId: 7, operation: 'me' },
    { event: 'limit.hit', userId: 7, operation: 'alerts' },
    { event: 'login.failed', account: 'a' },
    { event: 'login.failed', account: 'a' },
    { event: 'limit.hit', userId: 7, operation: 'me' },
  ]);
});

it('hashes alike what is alike, and tells nothing without the secret', () => {
  const { security } = linesOf();
  expect(security.hash(' Ana ')).toBe(security.hash('ana'));
  expect(security.hash('ana')).toMatch(/^[\w-]{16}$/);
  expect(security.hash('ana')).not.toBe(makeSecurityLog(silentLog, 'another secret').hash('ana'));
  expect(makeSecurityLog(silentLog, ['a secret', 'one before']).hash('ana')).toBe(security.hash('ana'));
});
