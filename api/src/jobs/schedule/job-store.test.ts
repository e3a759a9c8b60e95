import type { AgendaBackend } from 'agenda';
import { expect, it, vi } from 'vitest';
import { watchStore } from './job-store.ts';

it('reports whether polls are answered, and ends no process when a lock that nobody waits for is not released', async () => {
  const away = new Error('away');
  const repository = {
    getNextJobToRun: vi.fn().mockResolvedValueOnce(undefined).mockRejectedValueOnce(away),
    unlockJob: vi.fn().mockRejectedValue(away),
  };
  const [report, warn] = [vi.fn(), vi.fn()];
  const backend = { repository } as unknown as AgendaBackend;
  watchStore({ name: 'MongoDB', backend, close: async () => {} }, report, warn);
  const poll = () => backend.repository.getNextJobToRun('work', new Date(), new Date(), undefined, undefined);
  await poll();
  await expect(poll()).rejects.toBe(away);
  expect(report.mock.calls).toEqual([[true], [false]]);
  await backend.repository.unlockJob({} as never);
  expect(warn.mock.calls).toEqual([[away]]);
});
