import { describe, expect, it } from 'vitest';
import { makeCallQueue } from './call-queue.ts';

/** Makes calls one after another without waiting, and says what the last one told. */
async function after(...calls: readonly ['hide' | 'undo', 'succeeds' | 'fails'][]) {
  const call = makeCallQueue<boolean>();
  const sent: string[] = [];
  const told = await Promise.all(
    calls.map(([what, how]) =>
      call('car', false, what === 'hide', async () => {
        sent.push(what);
        await Promise.resolve();
        if (how === 'fails') throw new Error('The server refused it.');
      }),
    ),
  );
  expect(sent).toEqual(calls.map(([what]) => what));
  expect(told.map(({ isLast }) => isLast)).toEqual(calls.map((_, at) => at === calls.length - 1));
  const last = told.at(-1);
  return { isHidden: last?.held, hasFailed: last?.error !== null };
}

describe('a queue of calls ends in what the server holds', () => {
  it.each([
    [[['hide', 'succeeds']], true],
    [[['hide', 'fails']], false],
    [
      [
        ['hide', 'succeeds'],
        ['undo', 'fails'],
      ],
      true,
    ],
    [
      [
        ['hide', 'fails'],
        ['undo', 'succeeds'],
      ],
      false,
    ],
    [
      [
        ['hide', 'succeeds'],
        ['undo', 'fails'],
        ['hide', 'fails'],
      ],
      true,
    ],
    [
      [
        ['hide', 'fails'],
        ['undo', 'fails'],
        ['hide', 'fails'],
      ],
      false,
    ],
    [
      [
        ['hide', 'succeeds'],
        ['undo', 'succeeds'],
        ['hide', 'fails'],
      ],
      false,
    ],
  ] as [['hide' | 'undo', 'succeeds' | 'fails'][], boolean][])('%j', async (calls, isHidden) => {
    expect(await after(...calls)).toEqual({ isHidden, hasFailed: calls.at(-1)?.[1] === 'fails' });
  });
});

it('each thing has calls of its own, and begins again once they are over', async () => {
  const call = makeCallQueue<boolean>();
  const fails = () => Promise.reject(new Error('no'));
  const [one, other] = await Promise.all([
    call('one', false, true, () => Promise.resolve()),
    call('other', false, true, fails),
  ]);
  expect([one.held, other.held]).toEqual([true, false]);
  expect((await call('one', true, false, fails)).held).toBe(true);
});
