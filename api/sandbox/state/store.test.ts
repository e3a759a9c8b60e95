import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderOfTest } from '../../test/set-up.ts';
import { newCustomer } from '../billing/new-customer.ts';
import { openStore, type Store } from './store.ts';

let path: string;
let store: Store | undefined;
beforeEach(() => {
  path = join(folderOfTest(), 'sandbox.ndjson');
});
afterEach(() => {
  store?.close();
  store = undefined;
});

function open(): Store {
  store?.close();
  store = openStore(path);
  return store;
}

const addCustomer = (email: string): string =>
  open().change((change) => {
    const customer = change.put(newCustomer(change.now, { email }));
    change.emit('customer.created', customer);
    return customer.id;
  });

it('has all changes when it is opened again, and cuts off a line that a kill left incomplete', () => {
  const id = addCustomer('ada@example.com');
  appendFileSync(path, '{"put":[{"id":"cus_torn","object":"cus');
  expect(open().read().find('customer', id)).toMatchObject({ email: 'ada@example.com' });
  expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true);
  const second = addCustomer('eve@example.com');
  expect(
    open()
      .read()
      .all('customer')
      .map((one) => one.id),
  ).toEqual([id, second]);
  expect(open().read().all('event')).toHaveLength(2);
});

it('stores nothing of a change that fails, and writes nothing for one that only reads', () => {
  const id = addCustomer('ada@example.com');
  const before = readFileSync(path, 'utf8');
  expect(() =>
    open().change((change) => {
      change.customer(id).email = 'changed@example.com';
      change.emit('customer.updated', change.customer(id));
      throw new Error('in the middle');
    }),
  ).toThrow('in the middle');
  open().change((change) => change.customer(id));
  expect(open().read().find('customer', id)).toMatchObject({ email: 'ada@example.com' });
  expect(readFileSync(path, 'utf8')).toBe(before);
});

it('rewrites its file when it has grown, and drops nothing but old answers', () => {
  const id = addCustomer('ada@example.com');
  open().change((change) => {
    const answer = { object: 'kept_answer' as const, fingerprint: 'f', body: 'b' };
    change.put({ ...answer, id: 'idem_old', created: change.now - 90_000 });
    change.put({ ...answer, id: 'idem_new', created: change.now });
  });
  const filler = { id: 'wish_x', object: 'wish', nextPaymentFails: false, filler: 'x'.repeat(600_000) };
  const line = `${JSON.stringify({ put: [filler], gone: [] })}\n`;
  writeFileSync(path, readFileSync(path, 'utf8') + line + line);
  open();
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(1);
  expect(readFileSync(path, 'utf8').length).toBeLessThan(700_000);
  const kept = open().read();
  expect(kept.find('customer', id)).toBeDefined();
  expect(kept.all('kept_answer').map((one) => one.id)).toEqual(['idem_new']);
});
