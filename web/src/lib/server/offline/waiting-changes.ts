import type { ApolloClient, ApolloLink, DocumentNode } from '@apollo/client';
import { get, update } from 'idb-keyval';
import { noteHidden } from '../../state/hidden-cars.ts';
import { waitingChanges } from '../../state/offline.ts';
import { toast } from '../../state/toasts.ts';
import { plural } from '../../text/time.ts';
import { liveConnection } from '../client/live-connection.ts';
import { isTemporary, readFault } from '../faults/errors.ts';
import { answerStore, MAX_AGE_MS } from './stored-answers.ts';
import { type Change, changeWords, withChanges } from './waiting-list.ts';
import { makeWaitingQueue, type Outcome } from './waiting-queue.ts';

/** Under which the changes are stored. */
export const WAITING_KEY = 'waiting';
const EVERY_MS = 10_000;

/** Another tab may send what waits here. */
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('lotwatch-waiting') : null;

/** Reads what waits, oldest first, and counts it for the page. */
async function readWaiting(): Promise<readonly Change[]> {
  const changes = (await get<readonly Change[]>(WAITING_KEY, answerStore())) ?? [];
  waitingChanges.set(changes.length);
  return changes;
}

async function updateWaiting(next: (before: readonly Change[]) => readonly Change[]): Promise<void> {
  await update<readonly Change[]>(WAITING_KEY, (before = []) => next(before), answerStore());
  tabs?.postMessage(null);
  await readWaiting();
}

const queue = makeWaitingQueue({ read: readWaiting, update: updateWaiting }, (key, at, outcome) =>
  tabs?.postMessage({ key, at, outcome }),
);
tabs?.addEventListener('message', ({ data }: MessageEvent<{ key: string; at: number; outcome: Outcome } | null>) => {
  if (data) queue.hear(data.key, data.at, data.outcome);
  readWaiting().catch(() => undefined);
});

/** Sends what waits now, once that is started. */
let wake: (() => void) | undefined;

/**
 * Sends a change, or lets it wait: without an answer, and behind an earlier press of the same thing that still waits.
 * @param at when it was pressed, in milliseconds
 */
export async function sendOrWait(
  operation: ApolloLink.Operation,
  userId: string,
  at: number,
  send: () => Promise<ApolloLink.Result>,
): Promise<ApolloLink.Result> {
  const { operationName: name = '', variables, query } = operation;
  const key = `${name} ${String(variables.id)}`;
  const made: Change = { id: crypto.randomUUID(), userId, key, name, variables, query: query as object, at };
  const { onWaits } = operation.getContext() as { onWaits?: () => void };
  // A browser that forbids storage has stored nothing.
  if (await queue.mustWait(made).catch(() => false)) {
    const waits = () => {
      onWaits?.();
      wake?.();
    };
    return resultOf(await queue.letWait(made, waits));
  }
  try {
    const result = await send();
    if (!result.errors && result.data) await queue.noteSent(made, result.data).catch(() => undefined);
    return result;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const outcome = await queue.letWait(made, onWaits).catch(() => null);
    if (!outcome) throw cause;
    return resultOf(outcome);
  }
}

function resultOf(outcome: Outcome): ApolloLink.Result {
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome;
}

/** Gives up what waits, as nobody may send it any longer, and says so. */
export async function giveUpWaiting(isGivenUp: (change: Change) => boolean, why: string): Promise<void> {
  const lost = await queue.giveUp(isGivenUp, new Error(why));
  if (lost > 0) toast('Error', `${plural(lost, 'change was', 'changes were')} not sent: ${why}`, 'destructive');
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

/** Sends what this user pressed. */
async function sendAll(client: ApolloClient, userId: string): Promise<void> {
  await giveUpWaiting(
    (change) => change.userId !== userId,
    'Somebody else had pressed, who is no longer signed in here.',
  );
  await queue.sendAll((change) => send(client, change), report);
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
  wake = act;
  const onConnection = () => liveConnection.get() === 'connected' && act();
  const timer = setInterval(() => waitingChanges.get() > 0 && act(), EVERY_MS);
  addEventListener('online', act);
  const stopWatching = liveConnection.subscribe(onConnection);
  act();
  return () => {
    clearInterval(timer);
    removeEventListener('online', act);
    stopWatching();
    wake = undefined;
  };
}

/** Shows a stored answer as what its user pressed leaves it; hidden cars are noted for the lists. */
export async function withWaiting(answer: unknown, userId: string | undefined): Promise<unknown> {
  const own = (await readWaiting()).filter((change) => change.userId === userId);
  const { data, hidden } = withChanges(answer, own);
  for (const [carId, isHidden] of hidden) noteHidden(carId, isHidden);
  return data;
}
