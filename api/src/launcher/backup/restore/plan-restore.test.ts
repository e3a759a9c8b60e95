import { describe, expect, it } from 'vitest';
import { type BaseBackup, segmentName, superfluousBases } from '../backup-folder.ts';
import { type LogFile, planRestore } from './plan-restore.ts';

const MB = 1024 ** 2;
const segmentBytes = 16 * MB;
const at = (hour: number) => new Date(Date.UTC(2026, 10, 26, hour));
const lsn = (segment: number) => `0/${(segment * segmentBytes + 40).toString(16).toUpperCase()}`;

const base = (hour: number, segment: number, timeline = 1): BaseBackup => ({
  name: `at-${hour}`,
  systemId: '1',
  major: '18',
  timeline,
  startLsn: lsn(segment),
  stopLsn: lsn(segment),
  startedAt: at(hour).toISOString(),
  endedAt: at(hour).toISOString(),
  bytes: 1,
  unpackedBytes: 1,
  sha256: '',
});
const file = (number: number, timeline = 1): LogFile => {
  const name = segmentName(timeline, BigInt(number), segmentBytes);
  return { name, path: name, timeline, number: BigInt(number) };
};
/** The second timeline began within segment 4. */
const histories = new Map([['00000002.history', `1\t${lsn(4)}\tbefore 2026-11-26\n`]]);
const known = {
  bases: [base(1, 2), base(5, 5), base(9, 5, 2)],
  files: [2, 3, 4, 5, 6].map((number) => file(number)).concat([4, 5, 6].map((number) => file(number, 2))),
  histories,
  segmentBytes,
  timeline: 2,
};
const namesOf = (files: readonly LogFile[]) => files.map(({ timeline, number }) => `${timeline}/${number}`);

describe('the plan of a restore', () => {
  it('takes the newest base backup before the moment, and the log after it', () => {
    const { base: chosen, files, missing } = planRestore(known, { to: at(10).getTime() });
    expect([chosen.name, namesOf(files), missing]).toEqual(['at-9', ['2/5', '2/6'], undefined]);
  });

  it('takes none that was made after the timeline had left it, nor the log from there on', () => {
    const { base: chosen, files } = planRestore(known, { to: at(6).getTime() });
    expect([chosen.name, namesOf(files)]).toEqual(['at-1', ['1/2', '1/3', '1/4', '2/4', '2/5', '2/6']]);
  });

  it('follows a timeline that was left, where that is asked for', () => {
    const { base: chosen, files } = planRestore(known, { timeline: 1 });
    expect([chosen.name, namesOf(files)]).toEqual(['at-5', ['1/5', '1/6']]);
  });

  it('names the first segment that is missing', () => {
    const files = [2, 3, 5, 6].map((number) => file(number));
    const { missing } = planRestore({ ...known, files, timeline: 1, bases: [base(1, 2)] }, {});
    expect(missing).toBe('000000010000000000000004');
  });

  it('refuses a moment before the first base backup, and an unknown timeline', () => {
    expect(() => planRestore(known, { to: at(0).getTime() })).toThrow('no moment before can be restored');
    expect(() => planRestore(known, { timeline: 3 })).toThrow('no timeline 3');
  });
});

it('keeps the newest base backup that is older than seven days, and all after it', () => {
  const bases = [base(1, 2), base(2, 3), base(3, 4)];
  const weekAfter = (hour: number) => at(hour).getTime() + 7 * 86_400_000;
  expect(superfluousBases(bases, weekAfter(2) + 1).map(({ name }) => name)).toEqual(['at-1']);
  expect(superfluousBases(bases, weekAfter(1) - 1)).toEqual([]);
});
