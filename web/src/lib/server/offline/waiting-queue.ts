import { type Change, changeWords, replaceChange } from './waiting-list.ts';

/** What became of a change: the server's answer, or why it was given up. */
export type Outcome = { data: Record<string, unknown> } | { refusal: Error };

/** Where the changes are stored, oldest first. All tabs share it. */
interface ChangeStore {
  read(): Promise<readonly Change[]>;
  update(next: (before: readonly Change[]) => readonly Change[]): Promise<void>;
}

type Send = (change: Change) => Promise<Outcome | null>;

/**
 * Keeps the order of presses: the last press of a thing holds, whether it waited or reached the server at once.
 * @param tell called with what other tabs must hear
 */
export function makeWaitingQueue(store: ChangeStore, tell: (key: string, at: number, outcome: Outcome) => void) {
  /** Calls of this tab that wait for their answer, by the key of the change. */
  const callers = new Map<string, ((outcome: Outcome) => void)[]>();
  /** The latest press of each thing that reached the server. */
  const sent = new Map<string, { at: number; data: Record<string, unknown> }>();

  /** @returns whether somebody on this page heard of it */
  function hear(key: string, at: number, outcome: Outcome): boolean {
    if ('data' in outcome && at >= (sent.get(key)?.at ?? 0)) sent.set(key, { at, data: outcome.data });
    const waiting = callers.get(key);
    callers.delete(key);
    for (const answer of waiting ?? []) answer(outcome);
    return waiting !== undefined;
  }

  function settle(key: string, at: number, outcome: Outcome): boolean {
    tell(key, at, outcome);
    return hear(key, at, outcome);
  }

  /**
   * Lets a change wait until the server can be reached. It is answered once it, or a later press of the same thing, was sent.
   * @throws when nothing more can wait, or nothing can be stored
   */
  async function letWait(made: Change, onWaits?: () => void): Promise<Outcome> {
    const done = sent.get(made.key);
    if (done && done.at > made.at) return { data: done.data };
    await store.update((before) => replaceChange(before, made));
    onWaits?.();
    return new Promise((resolve) => callers.set(made.key, [...(callers.get(made.key) ?? []), resolve]));
  }

  return {
    hear,
    letWait,

    /** Whether an earlier press of the same thing waits: sent at once, this one would be undone by it. */
    async mustWait({ key, userId }: Change): Promise<boolean> {
      return (await store.read()).some((change) => change.key === key && change.userId === userId);
    },

    /** Notes that a change reached the server without waiting, so that an earlier press of the same thing is not sent. */
    async noteSent({ key, at }: Change, data: Record<string, unknown>): Promise<void> {
      if (at >= (sent.get(key)?.at ?? 0)) sent.set(key, { at, data });
      const isUndone = (change: Change) => change.key === key && change.at < at;
      if (!(await store.read()).some(isUndone)) return;
      await store.update((before) => before.filter((change) => !isUndone(change)));
      settle(key, at, { data });
    },

    /** Gives up changes. @returns how many of them nobody on this page has heard of, without those that nobody would miss */
    async giveUp(isGivenUp: (change: Change) => boolean, refusal: Error): Promise<number> {
      const lost = (await store.read()).filter(isGivenUp);
      if (lost.length === 0) return 0;
      await store.update((before) => before.filter((change) => !isGivenUp(change)));
      const unheard = lost.filter(({ key, at }) => !settle(key, at, { refusal }));
      return unheard.filter(({ name, variables }) => changeWords(name, variables) !== null).length;
    },

    /** Sends what waits, one after the other, until one can't be sent now: `send` returns null. */
    async sendAll(send: Send, report: (change: Change, refusal: Error) => void): Promise<void> {
      for (let [first] = await store.read(); first; [first] = await store.read()) {
        const { id, key, at } = first;
        const outcome = await send(first);
        if (!outcome) return;
        await store.update((before) => before.filter((change) => change.id !== id));
        // A later press of the same thing took its place meanwhile, and is sent next.
        if ((await store.read()).some((change) => change.key === key)) continue;
        const isHeard = settle(key, at, outcome);
        if (!isHeard && 'refusal' in outcome) report(first, outcome.refusal);
      }
    },
  };
}
