import { expect, it, vi } from 'vitest';
import { fetchUntilChanged } from './payment-page.ts';

it('fetches until the data has changed', async () => {
  let known = 'Free';
  const fetchAgain = vi.fn(async () => undefined);
  const fetchOnce = fetchUntilChanged(() => known, fetchAgain);
  await fetchOnce();
  await fetchOnce();
  known = 'Pro';
  await fetchOnce();
  expect(fetchAgain).toHaveBeenCalledTimes(2);
});

it('continues after the first data if none was known, because it may be the old plan', async () => {
  let known: string | undefined;
  const fetchAgain = vi.fn(async () => undefined);
  const fetchOnce = fetchUntilChanged(() => known, fetchAgain);
  await fetchOnce();
  known = 'Free';
  await fetchOnce();
  await fetchOnce();
  known = 'Pro';
  await fetchOnce();
  expect(fetchAgain).toHaveBeenCalledTimes(3);
});
