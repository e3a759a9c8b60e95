import { expect, it } from 'vitest';
import { durableSettings, usableMemory } from './embedded-postgres.ts';

const GIGABYTE = 1024 ** 3;

it.each([
  [0.25, '128MB'],
  [4, '1024MB'],
  [64, '2048MB'],
])('gives the buffers a quarter of the %s GB of the machine, within limits', (gigabytes, buffers) => {
  expect(durableSettings(gigabytes * GIGABYTE)).toContain(`shared_buffers=${buffers}`);
});

it('keeps all commits durable', () => {
  const settings = durableSettings(usableMemory());
  for (const on of ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']) expect(settings).toContain(on);
});
