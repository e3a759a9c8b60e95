import { expect, it } from 'vitest';
import { localPath } from './local-path.ts';

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
