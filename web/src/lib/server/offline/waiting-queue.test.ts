import { beforeEach, expect, it } from 'vitest';
import type { Change } from './waiting-list.ts';
import { makeWaitingQueue, type Outcome } from './waiting-queue.ts';

let stored: readonly Change[];
/** What the server was sent, in its order. */
let received: unknown[];
let queue: ReturnType<typeof makeWaitingQueue>;

beforeEach(() => {
  stored = [];
  received = [];
  queue = makeWaitingQueue(
    {
      read: () => Promise.resolve(stored),
      update(next) {
        stored = next(stored);
        return Promise.resolve();
      },
    },
    () => undefined,
  );
});

const press = (saved: boolean, at: number, userId = '7'): Change => ({
  id: `${at}`,
  userId,
  key: 'SaveListing 1',
  name: 'SaveListing',
  variables: { id: '1', saved },
  query: {},
  at,
});
const answerTo = ({ variables }: Change) => ({ saveListing: variables.saved });
const send = (change: Change): Promise<Outcome> => {
  received.push(change.variables.saved);
  return Promise.resolve({ data: answerTo(change) });
};
const failed: string[] = [];
const report = (_change: Change, refusal: Error) => void failed.push(refusal.message);

it('a press waits behind an earlier one of the same thing, of the same user only', async () => {
  expect(await queue.mustWait(press(true, 1))).toBe(false);
  void queue.letWait(press(true, 1));
  expect(await queue.mustWait(press(false, 2))).toBe(true);
  expect(await queue.mustWait(press(false, 2, '8'))).toBe(false);
  expect(await queue.mustWait({ ...press(false, 2), key: 'SaveListing 2' })).toBe(false);
});

it('only the last press is sent, and answers all', async () => {
  const first = queue.letWait(press(true, 1));
  const second = queue.letWait(press(false, 2));
  await Promise.resolve();
  await queue.sendAll(send, report);
  expect(received).toEqual([false]);
  expect([await first, await second]).toEqual(Array(2).fill({ data: { saveListing: false } }));
});

it('a press that was made while an earlier one is sent is sent after it', async () => {
  void queue.letWait(press(true, 1));
  await queue.sendAll(async (change) => {
    if (change.at === 1) await Promise.race([queue.letWait(press(false, 2)), Promise.resolve()]);
    return send(change);
  }, report);
  expect([received, stored]).toEqual([[true, false], []]);
});

it('a press without an answer is not sent after a later one that had one', async () => {
  await queue.noteSent(press(false, 2), { saveListing: false });
  expect(await queue.letWait(press(true, 1))).toEqual({ data: { saveListing: false } });
  expect(stored).toEqual([]);
});

it('nor after a later one that has waited and was sent', async () => {
  void queue.letWait(press(false, 2));
  await queue.sendAll(send, report);
  expect(await queue.letWait(press(true, 1))).toEqual({ data: { saveListing: false } });
  expect([received, stored]).toEqual([[false], []]);
});

it('a press without an answer changes nothing of a later one that waits', async () => {
  void queue.letWait(press(false, 2));
  void queue.letWait(press(true, 1));
  await Promise.resolve();
  expect(stored).toEqual([press(false, 2)]);
});

it('a press that reached the server ends the waiting of an earlier one, not of a later one', async () => {
  const first = queue.letWait(press(true, 1));
  await Promise.resolve();
  await queue.noteSent(press(false, 2), { saveListing: false });
  expect([stored, await first]).toEqual([[], { data: { saveListing: false } }]);
  void queue.letWait(press(true, 4));
  await queue.noteSent(press(false, 3), { saveListing: false });
  expect(stored).toEqual([press(true, 4)]);
});

it('what is given up is refused to its callers, or else counted', async () => {
  const heard = queue.letWait(press(true, 1));
  await Promise.resolve();
  const other = (name: string): Change => ({ ...press(true, 1), name, key: `${name} 5`, variables: { id: '5' } });
  stored = [...stored, other('HideCar'), other('MarkListingViewed'), { ...press(true, 1, '8'), key: 'SaveListing 9' }];
  expect(await queue.giveUp(({ userId }) => userId === '7', new Error('Signed out'))).toBe(1);
  expect(await heard).toEqual({ refusal: new Error('Signed out') });
  expect(stored.map(({ userId }) => userId)).toEqual(['8']);
});

it('what the server refuses is reported where no caller is left, and nothing more is sent without an answer', async () => {
  stored = [press(true, 1), { ...press(true, 2), key: 'SaveListing 2' }];
  await queue.sendAll((change) => Promise.resolve(change.at === 1 ? { refusal: new Error('Gone') } : null), report);
  expect([failed, stored.length]).toEqual([['Gone'], 1]);
});
