import { expect, it } from 'vitest';
import { databaseFault } from './database-fault.ts';
import { ConcurrentWrite } from './retried-transaction.ts';

it('a write that others keep restarting can be asked for again', () => {
  expect(databaseFault(new ConcurrentWrite('Others write the same listings.'))).toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 2,
  });
  expect(databaseFault(new Error('another'))).toBeNull();
});
