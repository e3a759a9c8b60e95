import { createStore } from './store.ts';

export interface NewMatch {
  alertId: string;
  listingId: string;
  /** ISO, the server's clock. */
  matchedAt: string;
}

/** The times up to which the user has viewed matches on this machine: `since` for all alerts, later ones for some. */
interface Viewed {
  since: string;
  alerts: Record<string, string>;
}

interface State {
  userId: string | null;
  viewed: Viewed | null;
  matches: readonly NewMatch[];
}

const state = createStore<State>({ userId: null, viewed: null, matches: [] });
/** How many matching cars the viewer has not viewed yet, for the badge at My Alerts. */
export const newMatchCount = createStore(0);
/** The number of new matches by alert id, for alerts that have some. */
export const newMatchesByAlert = createStore<ReadonlyMap<string, number>>(new Map());
const maxMatches = 1000;

const keyOf = (userId: string): string => `lotwatch-looked-${userId}`;

function readViewed(userId: string): Viewed | null {
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

function storeViewed(userId: string, viewed: Viewed): void {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(viewed));
  } catch {
    // Without storage the next visit starts from zero.
  }
}

function set(next: State): void {
  state.set(next);
  const { viewed } = next;
  const isNew = ({ alertId, matchedAt }: NewMatch) =>
    viewed !== null && matchedAt > viewed.since && matchedAt > (viewed.alerts[alertId] ?? '');
  const fresh = next.matches.filter(isNew);
  const byAlert = new Map<string, number>();
  for (const { alertId } of fresh) byAlert.set(alertId, (byAlert.get(alertId) ?? 0) + 1);
  const before = newMatchesByAlert.get();
  const isSame = byAlert.size === before.size && [...byAlert].every(([id, count]) => before.get(id) === count);
  if (!isSame) newMatchesByAlert.set(byAlert);
  newMatchCount.set(new Set(fresh.map(({ listingId }) => listingId)).size);
}

/**
 * Starts counting for one viewer; null stops it. `newest` are the newest matches of the server, newest first: on a machine
 * where this viewer has viewed no matches before, they don't count as new.
 */
export function startNewMatches(userId: string | null, newest: readonly NewMatch[] = []): void {
  if (userId === null) {
    set({ userId: null, viewed: null, matches: [] });
    return;
  }
  // The first one may be an old match that is shown again.
  const since = newest.reduce((latest, { matchedAt }) => (matchedAt > latest ? matchedAt : latest), '');
  const viewed = readViewed(userId) ?? { since, alerts: {} };
  storeViewed(userId, viewed);
  set({ userId, viewed, matches: newest });
}

/** Adds a match that arrived; a known one is not counted again. */
export function addNewMatch(match: NewMatch): void {
  const before = state.get();
  const isSame = ({ alertId, listingId }: NewMatch) => alertId === match.alertId && listingId === match.listingId;
  if (before.matches.some(isSame)) return;
  set({ ...before, matches: [match, ...before.matches].slice(0, maxMatches) });
}

/** Marks an alert's matches up to `newestMatchedAt` as viewed, so that they no longer count as new. */
export function markAlertViewed(alertId: string, newestMatchedAt: string): void {
  const { userId, viewed: kept } = state.get();
  if (userId === null || kept === null) return;
  // Another tab may have viewed newer matches.
  const viewed = readViewed(userId) ?? kept;
  if ((viewed.alerts[alertId] ?? '') >= newestMatchedAt) return;
  const next = { ...viewed, alerts: { ...viewed.alerts, [alertId]: newestMatchedAt } };
  storeViewed(userId, next);
  set({ ...state.get(), viewed: next });
}

/** Removes the matches of a deleted alert or of an opened car from the new ones. */
export function removeNewMatches(of: { alertId: string } | { listingId: string }): void {
  const before = state.get();
  const isOf = (match: NewMatch) => ('alertId' in of ? match.alertId === of.alertId : match.listingId === of.listingId);
  set({ ...before, matches: before.matches.filter((match) => !isOf(match)) });
}

/** Takes over what was viewed in other tabs. @returns a function that stops it */
export function followOtherTabs(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    const { userId } = state.get();
    if (userId === null || key !== keyOf(userId)) return;
    set({ ...state.get(), viewed: readViewed(userId) ?? state.get().viewed });
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
