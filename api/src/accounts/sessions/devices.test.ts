import { expect, it } from 'vitest';
import { readDeviceInfo } from './devices.ts';

const like = (rest: string) => `Mozilla/5.0 ${rest}`;

it.each([
  [
    like('(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'),
    { browser: 'Chrome', system: 'Windows' },
  ],
  [
    like('(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15'),
    { browser: 'Safari', system: 'macOS' },
  ],
  [like('(X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'), { browser: 'Firefox', system: 'Linux' }],
  [
    like(
      '(iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    ),
    { browser: 'Safari', system: 'iOS' },
  ],
  [
    like(
      '(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    ),
    { browser: 'Microsoft Edge', system: 'Windows' },
  ],
  [
    like('(Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'),
    { browser: 'Chrome', system: 'Android' },
  ],
])('reads the browser and system of %s', (userAgent, words) => {
  expect(readDeviceInfo(userAgent)).toEqual(words);
});

it.each([
  undefined,
  '',
  'node',
  'Call 555-0100 now/1.0 (your account is locked)',
  '\u0000',
  `${'a/'.repeat(5_000)} (b)`,
])('returns no names for a header that no browser sends: %s', (userAgent) => {
  expect(readDeviceInfo(userAgent)).toEqual({ browser: null, system: null });
});
