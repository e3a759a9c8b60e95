import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Intercept, interceptAllClients } from '../../lab/intercept-statements.ts';

/** Clients of this name are not disturbed: they judge. */
export const JUDGE = 'race-judge';

const SHORT_PAUSE = { chance: 0.12, ms: 4 };
const LONG_PAUSE = { chance: 0.006, ms: 25 };

const nameOf = (client: Client) =>
  (client as Client & { connectionParameters: { application_name?: string } }).connectionParameters.application_name;

/**
 * Lets every client of this process wait now and then before a statement, so that others come between two statements
 * of a transaction. @param inject changes the statements @returns a function that undoes it
 */
export function disturbClients(random: () => number, inject: Intercept): () => void {
  /** The last statement of each client that waits to be sent: those behind it keep their order. */
  const waiting = new WeakMap<Client, Promise<unknown>>();

  function pauseMs(): number {
    const drawn = random();
    if (drawn < LONG_PAUSE.chance) return random() * LONG_PAUSE.ms;
    return drawn < LONG_PAUSE.chance + SHORT_PAUSE.chance ? random() * SHORT_PAUSE.ms : 0;
  }

  return interceptAllClients((client, statement, send) => {
    if (nameOf(client) === JUDGE) return send(statement);
    const ms = pauseMs();
    const before = waiting.get(client);
    if (ms === 0 && !before) return inject(client, statement, send);
    const sent = Promise.resolve(before)
      .then(() => sleep(ms))
      .then(() => ({ answer: inject(client, statement, send) }));
    waiting.set(client, sent);
    void sent.then(() => {
      if (waiting.get(client) === sent) waiting.delete(client);
    });
    return sent.then(({ answer }) => answer);
  });
}
