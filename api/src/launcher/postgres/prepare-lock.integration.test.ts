/** @module-tag long */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { setUpDatabase } from '../../../test/database.ts';
import { withPrepareLock } from './prepare-database.ts';

const db = setUpDatabase();

it('a process that is stopped while it prepares the database loses the lock', async () => {
  const path = fileURLToPath(new URL('../../../test/servers/prepare-child.ts', import.meta.url));
  const child = fork(path, [db.url, '2000'], { execArgv: ['--import', 'tsx'] });
  try {
    await once(child, 'message');
    const other = withPrepareLock(db.pool, async () => 'prepared');
    // With heartbeats it keeps the lock.
    expect(await Promise.race([other, sleep(2_500, 'waits')])).toBe('waits');
    child.kill('SIGSTOP');
    expect(await Promise.race([other, sleep(10_000, 'waits')])).toBe('prepared');
  } finally {
    child.kill('SIGKILL');
  }
});
