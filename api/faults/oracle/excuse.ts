import type { Life } from '../system/part.ts';
import type { Outage } from '../system/system.ts';

/** Events that a vendor can't know of. */
export interface Disturbances {
  lives: readonly Life[];
  outages: readonly { from: number; to: number }[];
  troubles: readonly Outage[];
  /** Spans whose commits were lost in a restore. */
  losses: readonly { from: number; to: number }[];
}

/** One acceptance of a message by a provider. */
interface Acceptance {
  /** When its request had come and when it was accepted, in milliseconds since 1970. */
  askedAt: number;
  at: number;
  /** 'worker-1/7' for the seventh process of worker-1, which delivered it. */
  by: string;
  how: string | number;
}

/** How long before an outage of the database an answer of the provider may have been under way. */
const UNDER_WAY_MS = 3_000;

const within = ({ from, to }: { from: number; to: number }, first: Acceptance): boolean =>
  from <= first.at + UNDER_WAY_MS && to >= first.askedAt - UNDER_WAY_MS;

/** Why a message that had been accepted was delivered again; null where nothing excuses it. */
export function excuse(first: Acceptance, next: Pick<Acceptance, 'at'>, happened: Disturbances): string | null {
  if (first.how === 'reset after accepting') return 'the provider cut the connection after it had accepted it';
  const life = happened.lives.find(({ part, number }) => `${part}/${number}` === first.by);
  if (life?.how === 'SIGKILL' && (life.endedAt ?? 0) >= first.askedAt && (life.endedAt ?? 0) <= next.at) {
    const failpoint = life.report?.killedAt;
    return `${first.by} was killed ${failpoint === undefined ? 'at random' : `at ${failpoint}`} before it had recorded it`;
  }
  const trouble = happened.troubles.find((one) => first.by.startsWith(`${one.part}/`) && within(one, first));
  if (trouble) return `${first.by} was ${trouble.what} before it had recorded it`;
  if (happened.losses.some((loss) => within(loss, first))) return 'its record was lost with what came after the dump';
  const away = happened.outages.some((outage) => within(outage, first));
  return away ? 'the database was killed before it was recorded' : null;
}
