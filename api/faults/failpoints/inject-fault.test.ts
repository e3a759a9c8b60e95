import type { Client, QueryResult } from 'pg';
import { expect, it } from 'vitest';
import { injectFault } from './inject-fault.ts';

const answer = { command: '', rowCount: 1, rows: [{}], oid: 0, fields: [] } satisfies QueryResult;

/** Sends statements with a fault that says something first. @returns what the server gets */
async function sentWith(isOpen: boolean, texts: readonly string[], fails = ''): Promise<string[]> {
  const sent: string[] = [];
  const inject = injectFault(
    { precede: [{ text: 'match_bounds()', first: (run) => run('set local faults.horizon = 7') }] },
    () => {},
  );
  for (const text of texts) {
    const statement = text.startsWith('shards: ')
      ? { name: 'there', text: 'select run_on_shard(user_id, $1, $2, $3)', values: ['there', text, []] }
      : { name: 'here', text, values: [] };
    await inject({} as Client, statement, async (one) => {
      if (one.text.startsWith('savepoint') && !isOpen)
        throw Object.assign(new Error('no transaction'), { code: '25P01' });
      sent.push(one.text);
      if (fails && one.text.includes(fails)) throw new Error('refused');
      return answer;
    }).catch(() => {});
  }
  return sent;
}

it('says something first in the transaction that is open, also before a statement that runs on shards', async () => {
  expect(await sentWith(true, ['select 1', 'shards: from match_bounds()'])).toEqual([
    'select 1',
    'savepoint faults',
    'set local faults.horizon = 7',
    'select run_on_shard(user_id, $1, $2, $3)',
  ]);
});

it('makes a transaction where there is none, and ends it also where the statement fails', async () => {
  const begun = ['begin', 'set local faults.horizon = 7', 'select match_bounds()'];
  expect(await sentWith(false, ['select match_bounds()'])).toEqual([...begun, 'commit']);
  expect(await sentWith(false, ['select match_bounds()'], 'select match')).toEqual([...begun, 'rollback']);
});
