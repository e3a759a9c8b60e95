import type { Adapter, Claim, Completion } from './adapter.ts';
import { SOON_MS } from './claim.ts';
import { acceptedBefore, deferred, dropped } from './complete.ts';

/** How long a validation is valid, so that nothing is delivered later than a second after its alert was deactivated. */
const FRESH_MS = 500;

/** Whether a claimed message may be delivered without being validated again. */
export const isFresh = <C extends Claim, M, R>({ revalidation }: Adapter<C, M, R>, { validatedAtMs }: C): boolean =>
  !revalidation || (validatedAtMs !== null && performance.now() - validatedAtMs <= FRESH_MS);

/**
 * Decides which claims may be delivered now. Messages that the vendor had accepted from a process that ended are completed,
 * claims that had to wait get their leases renewed, and stale claims are validated again. `held`: claims that a rule made
 * wait. A claim that another process has taken over is in no list.
 */
export async function revalidate<C extends Claim, M, R>(
  adapter: Adapter<C, M, R>,
  claims: readonly C[],
): Promise<{ valid: C[]; held: C[]; ended: Completion<C, R>[] }> {
  const { revalidation } = adapter;
  const valid: C[] = [];
  const held: C[] = [];
  const ended: Completion<C, R>[] = [];
  const stale: C[] = [];
  for (const claim of claims) {
    if (!revalidation || isFresh(adapter, claim)) valid.push(claim);
    else if (claim.leftBehind && (await revalidation.wasAccepted(claim)) === true) ended.push(acceptedBefore(claim));
    else stale.push(claim);
  }
  if (!revalidation || stale.length === 0) return { valid, held, ended };
  const renewedAtMs = performance.now();
  const waited = stale.filter(({ validatedAtMs }) => validatedAtMs !== null);
  const renewed = waited.length > 0 ? await revalidation.renew(waited) : new Set();
  const ours = stale.filter(({ id, validatedAtMs }) => validatedAtMs === null || renewed.has(id));
  const validatedAtMs = performance.now();
  const verdicts = ours.length > 0 ? await revalidation.validate(ours) : new Map<unknown, never>();
  for (const claim of ours) {
    const verdict = verdicts.get(claim.id);
    const leasedAtMs = renewed.has(claim.id) ? renewedAtMs : claim.leasedAtMs;
    if (verdict?.verdict === 'deliver') valid.push({ ...verdict.claim, leftBehind: false, leasedAtMs, validatedAtMs });
    else if (verdict?.verdict === 'held') held.push(claim);
    else if (verdict?.verdict === 'later') ended.push(deferred(claim, SOON_MS));
    else ended.push(dropped(claim, verdict?.by));
  }
  return { valid, held, ended };
}
