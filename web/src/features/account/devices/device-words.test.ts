import { expect, it } from 'vitest';
import { deviceName, isHandheld, lastUsedText, signedInText } from './device-words.ts';

it.each([
  ['Chrome', 'Windows', 'Chrome on Windows', false],
  ['Safari', 'iOS', 'Safari on iOS', true],
  ['Firefox', null, 'Firefox', false],
  [null, 'Android', 'A browser on Android', true],
  [null, null, 'Unknown browser', false],
])('names %s on %s', (browser, system, name, handheld) => {
  expect(deviceName({ browser, system })).toBe(name);
  expect(isHandheld({ system })).toBe(handheld);
});

const now = new Date(2026, 10, 23, 12);

it.each([
  [new Date(2026, 10, 23, 11, 30), 'Used within the last hour'],
  [new Date(2026, 10, 23, 8), 'Last used today'],
  [new Date(2026, 10, 22, 23), 'Last used yesterday'],
  [new Date(2026, 10, 19, 12), 'Last used 4 days ago'],
])('says roughly when it was used: %s', (at, words) => {
  expect(lastUsedText({ lastUsedAt: at.toISOString(), isCurrent: false }, now)).toBe(words);
  expect(lastUsedText({ lastUsedAt: at.toISOString(), isCurrent: true }, now)).toBe('In use now');
});

it('says the day of the sign-in, with the year when it is another one', () => {
  expect(signedInText({ signedInAt: new Date(2026, 10, 3).toISOString() }, now)).toBe('Signed in Nov 3');
  expect(signedInText({ signedInAt: new Date(2025, 11, 31).toISOString() }, now)).toBe('Signed in Dec 31, 2025');
});
