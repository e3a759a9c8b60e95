import type { ApolloClient, ApolloLink, DocumentNode } from '@apollo/client';
import { get, update } from 'idb-keyval';
import { noteHidden } from '../../state/hidden-cars.ts';
import { waitingChanges } from '../../state/offline.ts';
import { toast } from '../../state/toasts.ts';
import { liveConnection } from '../client/live-connection.ts';
import { isTemporary, readFault } from '../faults/errors.ts';
import { answerStore, MAX_AGE_MS } from './stored-answers.ts';
import { type Change, changeWords, replaceChange, withChanges } from './waiting-list.ts';

const KEY = 'waiting';
const EVERY_MS = 10_000;

/** What became of a change: the server's answer, or why it was given up. */
export type Outcome = { data: Record<string, unknown> } | { refusal: Error };

/** Calls of this tab that wait for their answer, by the key of the change. */
const callers = new Map<string, ((outcome: Outcome) => void)[]>();
/** Another tab may send what waits here. */
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('lotwatch-waiting') : null;
tabs?.addEventListener('message', ({ data }: MessageEvent<{ key: string; outcome: Outcome } | null>) => {
  if (data) settle(data.key, data.outcome);
  void readWaiting();
});

/** Reads what waits, oldest first, and counts it for the page. */
export async function readWaiting(): Promise<readonly Change[]> {
  const changes = (await get<readonly Change[]>(KEY, answerStore())) ?? [];
  waitingChanges.set(changes.length);
  return changes;
}

async function change(next: (before: readonly Change[]) => readonly Change[]): Promise<readonly Change[]> {
  await update<readonly Change[]>(KEY, (before = []) => next(before), answerStore());
  tabs?.postMessage(null);
  return readWaiting();
}

/** @returns whether somebody on this page heard of it */
function settle(key: string, outcome: Outcome): boolean {
  const waiting = callers.get(key);
  callers.delete(key);
  for (const hear of waiting ?? []) hear(outcome);
  return waiting !== undefined;
}

/**
 * Lets a change wait until the server can be reached, in the place of an earlier one of the same thing. The call is answered
 * once the change was sent.
 * @throws when nothing more can wait, or nothing can be stored
 */
export async function letWait(operation: ApolloLink.Operation, userId: string): Promise<Outcome> {
  const { operationName: name = '', variables } = operation;
  const made: Change = {
    id: crypto.randomUUID(),
    userId,
    key: `${name} ${String(variables.id)}`,
    name,
    variables,
    query: operation.query as object,
    at: Date.now(),
  };
  await change((before) => replaceChange(before, made));
  const { onWaits } = operation.getContext() as { onWaits?: () => void };
  onWaits?.();
  return new Promise((resolve) => callers.set(made.key, [...(callers.get(made.key) ?? []), resolve]));
}

/** Says what was given up where no part of the page waits for it any longer. */
function report({ name, variables }: Change, refusal: Error): void {
  const words = changeWords(name, variables);
  if (words) toast('Error', `Failed to ${words}: ${readFault(refusal).message}`, 'destructive');
}

async function send(client: ApolloClient, { query, variables, at }: Change): Promise<Outcome | null> {
  if (Date.now() - at > MAX_AGE_MS) return { refusal: new Error('It waited for more than a week.') };
  try {
    const { data } = await client.mutate({
      mutation: query as DocumentNode,
      variables,
      context: { isSentAgain: true },
    });
    return { data: data as Record<string, unknown> };
  } catch (error) {
    if (isTemporary(error)) return null;
    return { refusal: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Sends what waits, one after the other, until one can't be sent now. */
async function sendAll(client: ApolloClient, userId: string): Promise<void> {
  for (let [first] = await readWaiting(); first; [first] = await readWaiting()) {
    const sent = first;
    // What another user pressed is nothing that this one may do.
    const outcome = sent.userId === userId ? await send(client, sent) : { refusal: new Error('It was another user.') };
    if (!outcome) return;
    const left = await change((before) => before.filter(({ id }) => id !== sent.id));
    // A later press of the same thing took its place meanwhile, and is sent next.
    if (left.some(({ key }) => key === sent.key)) continue;
    tabs?.postMessage({ key: sent.key, outcome });
    const isHeard = settle(sent.key, outcome);
    if (!isHeard && 'refusal' in outcome && sent.userId === userId) report(sent, outcome.refusal);
  }
}

/** Sends what waits whenever the server may be reached again. @returns a function that ends it */
export function startSending(client: ApolloClient, userId: string): () => void {
  let isSending = false;
  const sendOnce = async () => {
    if (isSending) return;
    isSending = true;
    try {
      // One tab sends at a time, so that nothing is sent twice.
      if (navigator.locks) await navigator.locks.request('lotwatch-waiting', () => sendAll(client, userId));
      else await sendAll(client, userId);
    } finally {
      isSending = false;
    }
  };
  const act = () => void sendOnce().catch(() => undefined);
  const onConnection = () => liveConnection.get() === 'connected' && act();
  const timer = setInterval(() => waitingChanges.get() > 0 && act(), EVERY_MS);
  addEventListener('online', act);
  const stopWatching = liveConnection.subscribe(onConnection);
  act();
  return () => {
    clearInterval(timer);
    removeEventListener('online', act);
    stopWatching();
  };
}

/** Shows a stored answer as what waits leaves it; hidden cars are noted for the lists. */
export async function withWaiting(answer: unknown): Promise<unknown> {
  const { data, hidden } = withChanges(answer, await readWaiting());
  for (const [carId, isHidden] of hidden) noteHidden(carId, isHidden);
  return data;
}
