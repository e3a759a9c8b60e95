import { expect, it } from 'vitest';
import { makeTestDatabase } from '../../test/database.ts';
import { untilDone } from '../../test/until-done.ts';
import { makeRateLimits } from '../http/limits/rate-limits.ts';
import { purgeTries } from './purge-tries.ts';

it('purges who tried once the time is over, and counts on for all others', async () => {
  const { pool, close } = await makeTestDatabase();
  try {
    const logins = { loginsPerAccount: 1, loginsPerAccountEverywhere: 1, loginsPerAddress: 1 };
    const limits = makeRateLimits(pool, {
      on: true,
      requestsPerUser: 1,
      keyRequestsPerHour: 1,
      keyRequestsAtOnce: 1,
      ...logins,
      registrationsPerAddress: 1,
    });
    await limits.registration('192.0.2.1');
    await limits.registration('192.0.2.2');
    await pool.query("update rate_limits set expire = expire - 3600000 - 61000 where key like '%192.0.2.1'");
    expect(await untilDone(pool, purgeTries)).toMatchObject({ removed: 1 });
    await limits.registration('192.0.2.1');
    await expect(limits.registration('192.0.2.2')).rejects.toThrow('Too many tries');
  } finally {
    await close();
  }
});

it('takes all of many away, some at a time', async () => {
  const { pool, close } = await makeTestDatabase();
  try {
    await pool.query(
      `insert into rate_limits select 'k' || n, 1, extract(epoch from now()) * 1000 + case when n <= 7 then -70000 else 0 end
         from generate_series(1, 9) n`,
    );
    expect(await untilDone(pool, purgeTries, 3)).toEqual({ removed: 7, batches: 3 });
    const { rows } = await pool.query<{ key: string }>('select key from rate_limits order by key');
    expect(rows.map(({ key }) => key)).toEqual(['k8', 'k9']);
  } finally {
    await close();
  }
});
