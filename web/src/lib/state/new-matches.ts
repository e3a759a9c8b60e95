import { createStore } from './store.ts';

export interface NoticedMatch {
  alertId: string;
  listingId: string;
  /** ISO, the server's clock. */
  matchedAt: string;
}

/** How far someone has looked at their matches on this machine: all alerts to `since`, some of them further. */
interface Looked {
  since: string;
  alerts: Record<string, string>;
}

interface State {
  userId: string | null;
  looked: Looked | null;
  matches: readonly NoticedMatch[];
}

const state = createStore<State>({ userId: null, looked: null, matches: [] });
/** How many cars match that the viewer has not looked at yet; for the badge at My Alerts. */
export const newMatchCount = createStore(0);
/** New matches of each alert that has some, by its id. */
export const newMatchesByAlert = createStore<ReadonlyMap<string, number>>(new Map());
const mostKept = 1000;

const keyOf = (userId: string): string => `lotwatch-looked-${userId}`;

function readLooked(userId: string): Looked | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    if (!('since' in stored) || typeof stored.since !== 'string') return null;
    const alerts = 'alerts' in stored && typeof stored.alerts === 'object' ? Object.entries(stored.alerts ?? {}) : [];
    const known = alerts.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { since: stored.since, alerts: Object.fromEntries(known) };
  } catch {
    return null;
  }
}

function keepLooked(userId: string, looked: Looked): void {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(looked));
  } catch {
    // Without storage the next visit starts from zero.
  }
}

function set(next: State): void {
  state.set(next);
  const { looked } = next;
  const isNew = ({ alertId, matchedAt }: NoticedMatch) =>
    looked !== null && matchedAt > looked.since && matchedAt > (looked.alerts[alertId] ?? '');
  const fresh = next.matches.filter(isNew);
  const byAlert = new Map<string, number>();
  for (const { alertId } of fresh) byAlert.set(alertId, (byAlert.get(alertId) ?? 0) + 1);
  const before = newMatchesByAlert.get();
  const isSame = byAlert.size === before.size && [...byAlert].every(([id, count]) => before.get(id) === count);
  if (!isSame) newMatchesByAlert.set(byAlert);
  newMatchCount.set(new Set(fresh.map(({ listingId }) => listingId)).size);
}

/**
 * Begins to count for one viewer, or for nobody. `newest` are the newest matches the server has, newest first: on a
 * machine where this viewer never looked, they are the ones already there and don't count as new.
 */
export function startNewMatches(userId: string | null, newest: readonly NoticedMatch[] = []): void {
  if (userId === null) {
    set({ userId: null, looked: null, matches: [] });
    return;
  }
  // The first may be one of long ago that is shown again.
  const since = newest.reduce((latest, { matchedAt }) => (matchedAt > latest ? matchedAt : latest), '');
  const looked = readLooked(userId) ?? { since, alerts: {} };
  keepLooked(userId, looked);
  set({ userId, looked, matches: newest });
}

/** Notes a match that came in; one that is known already counts once. */
export function noteNewMatch(match: NoticedMatch): void {
  const before = state.get();
  const isSame = ({ alertId, listingId }: NoticedMatch) => alertId === match.alertId && listingId === match.listingId;
  if (before.matches.some(isSame)) return;
  set({ ...before, matches: [match, ...before.matches].slice(0, mostKept) });
}

/** The viewer has seen an alert's matches up to `newestMatchedAt`; they no longer count as new. */
export function lookAtAlert(alertId: string, newestMatchedAt: string): void {
  const { userId, looked: kept } = state.get();
  if (userId === null || kept === null) return;
  // Another tab may have looked further.
  const looked = readLooked(userId) ?? kept;
  if ((looked.alerts[alertId] ?? '') >= newestMatchedAt) return;
  const next = { ...looked, alerts: { ...looked.alerts, [alertId]: newestMatchedAt } };
  keepLooked(userId, next);
  set({ ...state.get(), looked: next });
}

/** Matches of a deleted alert or of an opened car don't count as new. */
export function dropNewMatches(of: { alertId: string } | { listingId: string }): void {
  const before = state.get();
  const isOf = (match: NoticedMatch) =>
    'alertId' in of ? match.alertId === of.alertId : match.listingId === of.listingId;
  set({ ...before, matches: before.matches.filter((match) => !isOf(match)) });
}

/** Matches seen in another tab don't count as new here. @returns a function that stops watching */
export function followOtherTabs(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    const { userId } = state.get();
    if (userId === null || key !== keyOf(userId)) return;
    set({ ...state.get(), looked: readLooked(userId) ?? state.get().looked });
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
