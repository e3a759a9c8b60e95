import type { ApolloClient } from '@apollo/client';
import { callKey, canReadOffline, keptShown, offlineUser, setOnlineOnly } from '../../state/offline.ts';
import { whenIdle } from '../../state/when-idle.ts';
import { liveConnection } from '../client/live-connection.ts';
import { readOffline } from './offline-answers.ts';
import { type Answer, cutLists, storeAnswers } from './stored-answers.ts';
import { startSending } from './waiting-changes.ts';

const EVERY_MS = 5_000;
/** What has not changed is stored again after this time, with the time at which it was still true. */
const AGAIN_AFTER_MS = 60_000;

interface Kept {
  data: unknown;
  at: number;
}

/** A card or form that shows them is not among the pages that can be read offline. */
const withoutAddresses = { email: null, pendingEmail: null, phone: null };

function shownOffline(name: string, data: object): object {
  if (name !== 'Viewer' || !('me' in data)) return cutLists(data);
  return { ...data, me: data.me && { ...data.me, ...withoutAddresses } };
}

/** The live feed as a page that is opened offline goes on from it. */
interface LivePlace {
  cursor: string;
  newCount: number;
}

/**
 * Stores what the pages show of a user, every few seconds and when the page is hidden, while they are connected, and sends
 * the changes that wait.
 * @returns a function that ends it
 */
export function startOffline(client: ApolloClient, userId: string, livePlace: () => LivePlace | null): () => void {
  const kept = new Map<string, Kept>();
  let photosKept = '';

  function changed(now: number): Answer[] {
    const answers: Answer[] = [];
    const add = (
      name: string,
      variables: Record<string, unknown>,
      data: object,
      isSame: (before: unknown) => boolean,
    ) => {
      const key = callKey(name, variables);
      const before = kept.get(key);
      if (keptShown.get().has(key) || (before && isSame(before.data) && now - before.at < AGAIN_AFTER_MS)) return;
      kept.set(key, { data, at: now });
      answers.push({ key, data: shownOffline(name, data) });
    };
    for (const query of client.getObservableQueries('active')) {
      const { queryName = '', variables } = query;
      const { data, dataState, error } = query.getCurrentResult();
      if (!readOffline.has(queryName) || dataState !== 'complete' || error || !data) continue;
      add(queryName, variables, data as object, (before) => before === data);
    }
    const place = livePlace();
    if (place) {
      const start = { matches: { __typename: 'MatchPage', liveCursor: place.cursor } };
      const me = { __typename: 'User', id: userId, newCount: place.newCount };
      add('LiveStart', {}, { ...start, me }, (before) => JSON.stringify(before) === JSON.stringify({ ...start, me }));
    }
    return answers;
  }

  /** The worker stores the photos that were shown before it came; those that it has already cost nothing. */
  function keepPhotos(): void {
    const shown = [...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    const urls = [...new Set(shown.map(({ currentSrc }) => currentSrc))];
    if (urls.length === 0 || urls.join() === photosKept) return;
    photosKept = urls.join();
    navigator.serviceWorker.controller?.postMessage({ type: 'photos', urls });
  }

  function keep(): void {
    if (!canReadOffline() || !navigator.onLine || liveConnection.get() !== 'connected') return;
    const answers = changed(Date.now());
    // Without storage, pages are readable only while they are connected.
    if (answers.length > 0) storeAnswers(userId, answers).catch(() => undefined);
    keepPhotos();
  }

  offlineUser.set(userId);
  // Another user's are deleted at once.
  if (canReadOffline()) storeAnswers(userId, []).catch(() => undefined);
  const timer = setInterval(() => whenIdle(keep, EVERY_MS), EVERY_MS);
  const onHidden = () => document.hidden && keep();
  document.addEventListener('visibilitychange', onHidden);
  navigator.serviceWorker?.addEventListener('controllerchange', keep);
  // The worker that stores nothing has taken over, and deletes what is stored.
  const onMessage = ({ data }: MessageEvent<{ onlineOnly?: boolean } | null>) => data?.onlineOnly && setOnlineOnly();
  navigator.serviceWorker?.addEventListener('message', onMessage);
  const stopSending = startSending(client, userId);
  return () => {
    stopSending();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onHidden);
    navigator.serviceWorker?.removeEventListener('controllerchange', keep);
    navigator.serviceWorker?.removeEventListener('message', onMessage);
  };
}
