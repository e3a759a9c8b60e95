import type { NormalizedCacheObject } from '@apollo/client';
import type { FirstAnswer } from '@lotwatch/api/first-answer';
import { startNewCars } from '../../state/new-cars.ts';
import { liveCursor } from './live-connection.ts';

/** What the browser needs to take over a page that the server drew. */
export interface Drawn {
  moment: string;
  cache: NormalizedCacheObject;
  /** On the page of a signed-in user, how far its times are ahead of UTC. */
  offsetMs?: number;
}

/** What the server sends with the page of a signed-in user. */
export interface FirstData {
  answers: FirstAnswer[];
  /** For a page that was drawn; its answers are those that drawing did not need. */
  drawn?: Drawn;
}

/** Whose live updates go on from where, and how many cars are new to them there. */
export interface Start {
  me: { id: string; newCount: number } | null;
  matches: { liveCursor: string };
}

/** What nobody has asked for by then would be old. */
const MAX_AGE_MS = 10_000;

/** Holds answers until each is taken. */
export function makeAnswers() {
  const answers = new Map<string, FirstAnswer>();
  const keyOf = (name: string, variables: unknown): string => `${name} ${JSON.stringify(variables ?? {})}`;
  return {
    add(sent: readonly FirstAnswer[]): void {
      for (const answer of sent) answers.set(keyOf(answer.name, answer.variables), answer);
    },
    /** The answer to an operation; undefined without one, and from the second time on. */
    take(name: string, variables: unknown): FirstAnswer['data'] | undefined {
      if (answers.size === 0) return undefined;
      const key = keyOf(name, variables);
      const found = answers.get(key);
      answers.delete(key);
      return found?.data;
    },
    /** Those that nobody took. */
    left: (): FirstAnswer[] => [...answers.values()],
    forget: (): void => answers.clear(),
  };
}

/** Those of the page, in the browser. On the server nothing is ever added, as it would outlast the page. */
const ofPage = makeAnswers();

export const takeFirstAnswer = ofPage.take;

/** Forgets all answers that nobody has asked for, because somebody else may be signed in from now on. */
export const forgetFirstData = ofPage.forget;

/** Reads what the server sent with the page. Called once, before anything is drawn. @returns what it drew; null without */
export function readFirstData(): Drawn | null {
  const element = document.getElementById('first-data');
  if (!element) return null;
  const { answers, drawn } = JSON.parse(element.textContent) as FirstData;
  // It has a user's data, which must not outlast the sign-out.
  element.remove();
  ofPage.add(answers);
  setTimeout(forgetFirstData, MAX_AGE_MS);
  // Lists were read after it, so that live updates from there miss none of their matches.
  const start = takeFirstAnswer('LiveStart', {}) as Start | undefined;
  if (!start?.me) return null;
  liveCursor.set({ userId: start.me.id, cursor: start.matches.liveCursor });
  startNewCars(start.me.newCount);
  return drawn ?? null;
}
