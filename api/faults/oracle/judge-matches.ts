import { oracleFits } from '../../test/matching/match-world.ts';
import { type AlertLog, type CarLog, certain, meet, possible } from '../world/journal.ts';

/** A row of `matches`, by the names of the run. */
export interface MatchRow {
  car: string;
  alertId: number;
  /** Whether its version is the alert's, so that the buyer sees it. */
  shown: boolean;
}

interface MatchVerdict {
  expected: number;
  missing: string[];
  extra: string[];
  doubled: string[];
}

export const pairOf = (car: string, alertId: number): string => `${car}:${alertId}`;

/** Whether alert and car ever had, or may have had, states at the same time that fit. */
export function mayHaveFit(alert: AlertLog, car: CarLog): boolean {
  return alert.states.some(
    ({ criteria, active }, i) =>
      active &&
      car.states.some(
        ({ facts, forSale }, j) => forSale && oracleFits(criteria, facts) && meet(possible(alert, i), possible(car, j)),
      ),
  );
}

/** Whether the buyer must see the pair at the end: both fit in their last states, or the pair was certainly found. */
export function mustBeShown(alert: AlertLog, car: CarLog): boolean {
  const [criteria, facts] = [alert.states.at(-1), car.states.at(-1)];
  if (alert.deleted || !criteria?.active || !facts) return false;
  return facts.forSale && oracleFits(criteria.criteria, facts.facts);
}

/** Whether the pair was certainly found before the car was sold or the alert deactivated, so that it stays for ever. */
function mustBeKept(alert: AlertLog, car: CarLog): boolean {
  if (alert.deleted) return false;
  return car.states.some(({ facts, forSale, searchedBy, span }, j) => {
    const next = possible(car, j).to;
    if (!forSale || searchedBy === undefined || searchedBy > next) return false;
    return alert.states.some(({ criteria, active }, i) => {
      const { from, to } = certain(alert, i);
      return active && from <= span.begun && searchedBy <= to && oracleFits(criteria, facts);
    });
  });
}

/** Compares the stored pairs with those that must, may and must not exist by the journal. */
export function judgeMatches(
  alerts: readonly AlertLog[],
  cars: readonly CarLog[],
  rows: readonly MatchRow[],
): MatchVerdict {
  const alertById = new Map(alerts.map((alert) => [alert.id, alert]));
  const carById = new Map(cars.map((car) => [car.externalId, car]));
  const seen = new Map<string, { shown: boolean; times: number }>();
  const verdict: MatchVerdict = { expected: 0, missing: [], extra: [], doubled: [] };
  for (const { car, alertId, shown } of rows) {
    const pair = pairOf(car, alertId);
    const before = seen.get(pair);
    if (before) verdict.doubled.push(pair);
    seen.set(pair, { shown: shown || (before?.shown ?? false), times: (before?.times ?? 0) + 1 });
    const [alert, known] = [alertById.get(alertId), carById.get(car)];
    if (!alert || !known) continue;
    const [criteria, facts] = [alert.states.at(-1), known.states.at(-1)];
    const isFinal = criteria?.active && facts?.forSale && !alert.deleted;
    if (!mayHaveFit(alert, known)) verdict.extra.push(`${pair}, which never fitted`);
    else if (shown && isFinal && !mustBeShown(alert, known)) verdict.extra.push(`${pair}, which no longer fits`);
  }
  for (const alert of alerts) {
    for (const car of cars) {
      const pair = pairOf(car.externalId, alert.id);
      const must = mustBeShown(alert, car);
      if (!must && !mustBeKept(alert, car)) continue;
      verdict.expected += 1;
      const there = seen.get(pair);
      if (!there || (must && !there.shown)) verdict.missing.push(there ? `${pair}, which is hidden` : pair);
    }
  }
  return verdict;
}
