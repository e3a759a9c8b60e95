import type { DueAlert } from '../claim.ts';
import { BEGINNING, type DueScan } from './claim-place.ts';

/** An alert with due rows, and how many of these one read has found. */
export interface DueRows extends DueAlert {
  userId: number;
  rows: number;
}

/** SQL: a column with the order of the alerts, by which those of several servers are put in one. @param time an expression */
export const dueOrder = (time: string): string => `extract(epoch from ${time})::float8 as "dueOrder"`;

/** How many due rows one statement reads. */
export const DUE_ROWS_A_READ = 5_000;
/** An owner with so many of them is passed over by the next read, so that others' rows are found too. */
const CROWDING_ROWS = DUE_ROWS_A_READ / 10;
const MAX_READS = 5;

/** The alerts in their order, but the first of each owner before the second of anybody. */
function takeTurns<Row extends DueRows>(alerts: Iterable<Row>): Row[] {
  const turns = new Map<number, number>();
  const withTurns = [...alerts].map((alert) => {
    const turn = turns.get(alert.userId) ?? 0;
    turns.set(alert.userId, turn + 1);
    return { alert, turn };
  });
  return withTurns.sort((one, other) => one.turn - other.turn).map(({ alert }) => alert);
}

/**
 * Finds alerts with due rows so that no owner keeps others' from being found, whatever waits of theirs: as after a pause,
 * which makes all that they have due at once. The owners take turns.
 * @param scan where to begin @param skipped alerts that are left out for now: the next claim begins no later than this one,
 * as their rows still wait
 * @param read reads the first `DUE_ROWS_A_READ` due rows, without those of the owners that are passed over, as alerts, and
 * where the next claim begins
 */
export async function findDueFairly<Row extends DueRows>(
  scan: DueScan,
  skipped: readonly number[],
  read: (passedOver: readonly number[], from: string) => Promise<{ rows: Row[]; place: string | null }>,
): Promise<Row[]> {
  const from = scan.next();
  const found = new Map<number, Row>();
  const passedOver = new Set<number>();
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const begun = performance.now();
    const { rows: alerts, place } = await read([...passedOver], from ?? BEGINNING).catch((error: unknown) =>
      scan.failed(from, performance.now() - begun, error),
    );
    if (reads === 0) scan.done(from, performance.now() - begun, skipped.length > 0 ? null : place);
    const ofOwners = new Map<number, number>();
    for (const alert of alerts) {
      if (!found.has(alert.alertId)) found.set(alert.alertId, alert);
      ofOwners.set(alert.userId, (ofOwners.get(alert.userId) ?? 0) + alert.rows);
    }
    const crowding = [...ofOwners].filter(([, rows]) => rows >= CROWDING_ROWS).map(([userId]) => userId);
    const isFull = alerts.reduce((sum, { rows }) => sum + rows, 0) >= DUE_ROWS_A_READ;
    if (!isFull || crowding.length === 0) break;
    for (const userId of crowding) passedOver.add(userId);
  }
  return takeTurns(found.values());
}
