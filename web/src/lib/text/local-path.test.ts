import { expect, it } from 'vitest';
import { localPath, outsidePage } from './local-path.ts';

it.each([
  [{ from: '/alert/3?x=1' }, '/alert/3?x=1'],
  [{ from: '//evil.example' }, undefined],
  [{ from: '/\\evil.example' }, undefined],
  [{ from: 'https://evil.example' }, undefined],
  [{ from: 3 }, undefined],
  [null, undefined],
])('takes only addresses of our own: %j', (state, path) => {
  expect(localPath(state)).toBe(path);
});

it('leads back to a page beside the app, and nowhere else', () => {
  expect(outsidePage('?from=/playground')).toBe('/playground');
  expect(outsidePage('?from=%2Fapi%2Fdocs')).toBe('/api/docs');
  for (const from of ['', '/dashboard', '//evil.example', '/%09/evil.example', 'https://evil.example/playground'])
    expect(outsidePage(`?from=${from}`)).toBeUndefined();
  expect(outsidePage('')).toBeUndefined();
});
