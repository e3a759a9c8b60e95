import { expect, it } from 'vitest';
import { makeRandom } from '../../lab/random.ts';
import { failpoints, textFailpoints } from '../failpoints/failpoints.ts';
import { type Act, clusterKinds, kinds, makeActPlan, nameOf } from './act-plan.ts';

const countsOf = (plan: readonly Act[]) =>
  Object.fromEntries([...Map.groupBy(plan, ({ kind }) => kind)].map(([kind, acts]) => [kind, acts.length]));

it('spreads 300 acts over all kinds and failpoints, 30 of them pauses', () => {
  const plan = makeActPlan({ acts: 300, only: kinds }, makeRandom(1));
  expect(countsOf(plan)).toEqual({ kill: 224, pause: 30, cut: 25, settings: 15, restore: 6 });
  const names = Map.groupBy(plan.map(nameOf), (name) => name);
  for (const failpoint of failpoints) {
    expect([...names.keys()].filter((name) => name.includes(`at ${failpoint}`)).length).toBeGreaterThan(1);
    const pauses = plan.filter((act) => act.kind === 'pause' && act.failpoint === failpoint);
    expect(pauses.length).toBeGreaterThanOrEqual(3);
    const kills = plan.filter((act) => act.kind === 'kill' && act.failpoint === failpoint);
    expect(kills.length).toBeGreaterThanOrEqual(22);
  }
  expect(names.get('restore of a dump, with loss')).toHaveLength(3);
  expect(names.get('kill of database')?.length).toBeGreaterThan(10);
});

it('has one act of each kind in a short plan, and only the kinds that it is asked for', () => {
  expect(countsOf(makeActPlan({ acts: 12, only: kinds }, makeRandom(2)))).toEqual({
    kill: 8,
    pause: 1,
    cut: 1,
    settings: 1,
    restore: 1,
  });
  expect(countsOf(makeActPlan({ acts: 1, only: ['restore'] }, makeRandom(2)))).toEqual({ restore: 1 });
  expect(countsOf(makeActPlan({ acts: 3, only: ['move', 'commits'] }, makeRandom(2)))).toEqual({ move: 2, commits: 1 });
  expect(countsOf(makeActPlan({ acts: 5, only: ['pause', 'cut'] }, makeRandom(2)))).toEqual({ pause: 3, cut: 2 });
});

it('kills only at the failpoint at which an injected fault shows', () => {
  const plan = makeActPlan({ acts: 3, only: ['kill'], focus: 'mid-match' }, makeRandom(1));
  expect(plan.map(nameOf)).toEqual(Array.from({ length: 3 }, () => 'kill of worker at mid-match'));
});

it('kills and pauses at the failpoints of texts in a run for texts', () => {
  const plan = makeActPlan({ acts: 20, only: ['kill', 'pause'], at: textFailpoints }, makeRandom(1));
  const at = (kind: string) => plan.filter((act) => act.kind === kind && nameOf(act).includes('text-')).length;
  expect([at('kill'), at('pause')]).toEqual([15, 2]);
});

it('moves shards and disturbs commits on a cluster, in every way, and restores nothing', () => {
  const plan = makeActPlan({ acts: 300, only: clusterKinds, onCluster: true }, makeRandom(1));
  expect(countsOf(plan)).toEqual({ kill: 195, pause: 30, cut: 25, settings: 15, move: 20, commits: 15 });
  const names = Map.groupBy(plan.map(nameOf), (name) => name);
  const killed = ['the command', 'the server that has it', 'the server that gets it'];
  for (const move of ['move of a shard', 'move of a shard while writes wait'])
    for (const kill of ['', ...killed.map((what) => `, and kill of ${what}`)])
      expect(names.get(`${move}${kill}`)?.length).toBeGreaterThanOrEqual(2);
  for (const what of ['lost commits', 'late commits', 'unanswered commits']) expect(names.get(what)).toHaveLength(4);
  expect(names.get('commits of matches that are decided late')).toHaveLength(3);
  expect(names.get('kill of server')?.length).toBeGreaterThan(10);
});

it('has only the trouble with commits that shows an injected fault', () => {
  const plan = makeActPlan({ acts: 3, only: ['commits'], troubles: ['decidedLate'] }, makeRandom(1));
  expect(plan).toEqual(Array.from({ length: 3 }, () => ({ kind: 'commits', trouble: 'decidedLate' })));
});
