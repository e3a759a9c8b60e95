import type { Adapter, Claim, Completion } from './adapter.ts';
import { dropped } from './complete.ts';

/** A message that can be delivered. */
export interface Rendered<C, M> {
  claim: C;
  message: M;
}

/** Renders the messages of one batch, for which the adapter reads all data at once. Messages without content are dropped. */
export async function render<C extends Claim, M, R>(
  adapter: Adapter<C, M, R>,
  claims: readonly C[],
): Promise<{ rendered: Rendered<C, M>[]; ended: Completion<C, R>[] }> {
  const rendered: Rendered<C, M>[] = [];
  const ended: Completion<C, R>[] = [];
  if (claims.length === 0) return { rendered, ended };
  const messages = await adapter.render(claims);
  claims.forEach((claim, at) => {
    const message = messages[at] ?? null;
    if (message === null) ended.push(dropped(claim));
    else rendered.push({ claim, message });
  });
  return { rendered, ended };
}
