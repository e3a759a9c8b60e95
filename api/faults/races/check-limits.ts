import type { Breach } from './check-pairs.ts';
import type { AlertState, Past } from './past-states.ts';
import { ALERT_LIMIT, type World } from './race-world.ts';

/** Counts, as each change was committed, how many alerts of its owner watched. */
export function checkLimits({ alerts }: Past, world: World): Breach[] {
  const all = [...alerts.values()].flat().sort((a, b) => a.seq - b.seq);
  const current = new Map<AlertState[], AlertState>();
  const owners = new Map(
    all.map((state) => [state, [...alerts.values()].find((states) => states.includes(state)) ?? []]),
  );
  const breaches: Breach[] = [];
  for (const state of all) {
    current.set(owners.get(state) ?? [], state);
    const watching = [...current.values()].filter(
      (one) => one.userId === state.userId && !one.gone && one.isActive && one.expiresAt > state.from,
    );
    if (watching.length > ALERT_LIMIT) {
      const what = `user ${state.userId} has ${watching.length} alerts that watch`;
      breaches.push({ kind: 'limit', world: world.number, what });
    }
  }
  return breaches;
}
