import { expect, it } from 'vitest';
import { serverOfTest } from '../../../test/set-up.ts';
import { silentLog } from '../../base/log.ts';
import { watchLongAnswers } from './key-callers.ts';

it('aborts a response in progress when its key ends, and no others', async () => {
  const ended = new Set<number>();
  const asked: number[][] = [];
  const answers = watchLongAnswers(
    {
      endedOf: (ids) => {
        asked.push([...ids]);
        return Promise.resolve(ended);
      },
    },
    silentLog,
    40,
  );
  const url = await serverOfTest((request, response) => {
    answers.watch(response, Number(request.url?.slice(1)));
    response.write('{}\n');
    if (request.url === '/3') response.end();
  });
  const [one, two, short] = await Promise.all([1, 2, 3].map((id) => fetch(`${url}/${id}`)));
  const reading = one?.text() ?? Promise.resolve('');
  expect(await short?.text()).toBe('{}\n');
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(asked.every((ids) => !ids.includes(3))).toBe(true);
  ended.add(1);
  await expect(reading).rejects.toThrow();
  const reader = two?.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
  answers.close();
});
