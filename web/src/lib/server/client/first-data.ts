import { startNewCars } from '../../state/new-cars.ts';
import { liveCursor } from './live-connection.ts';

/** An answer that the server sent with the page, to an operation that the page asks for. */
interface FirstAnswer {
  name: string;
  variables: Record<string, unknown>;
  data: Record<string, unknown>;
}

/** What nobody has asked for by then would be old. */
const MAX_AGE_MS = 10_000;

const answers = new Map<string, FirstAnswer['data']>();

const keyOf = (name: string, variables: unknown): string => `${name} ${JSON.stringify(variables ?? {})}`;

/** Takes the answer that came with the page; undefined without one, and from the second time on. */
export function takeFirstAnswer(name: string, variables: unknown): FirstAnswer['data'] | undefined {
  if (answers.size === 0) return undefined;
  const key = keyOf(name, variables);
  const found = answers.get(key);
  answers.delete(key);
  return found;
}

/** Forgets all answers that nobody has asked for, because somebody else may be signed in from now on. */
export function forgetFirstData(): void {
  answers.clear();
}

interface Start {
  me: { id: string; newCount: number } | null;
  matches: { liveCursor: string };
}

/** Reads what the server sent with the page. Called once, before anything is drawn. */
export function readFirstData(): void {
  const element = document.getElementById('first-data');
  if (!element) return;
  const sent = JSON.parse(element.textContent) as FirstAnswer[];
  // It has a user's data, which must not outlast the sign-out.
  element.remove();
  for (const { name, variables, data } of sent) answers.set(keyOf(name, variables), data);
  setTimeout(forgetFirstData, MAX_AGE_MS);
  // Lists were read after it, so that live updates from there miss none of their matches.
  const start = takeFirstAnswer('LiveStart', {}) as Start | undefined;
  if (!start?.me) return;
  liveCursor.set({ userId: start.me.id, cursor: start.matches.liveCursor });
  startNewCars(start.me.newCount);
}
