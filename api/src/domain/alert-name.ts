import { makeLabel, modelLabel } from './catalogue.ts';
import { type AskedCars, askedCars } from './criteria/asked-cars.ts';

interface SummarizedAlert extends AskedCars {
  yearMin?: number | null;
  yearMax?: number | null;
  /** Miles. */
  radius: number;
}

/**
 * The name of an alert: 'Toyota Camry', 'Toyota' for any model, 'Toyota Camry or Corolla', 'Honda Civic or Toyota Corolla',
 * 'Toyota Camry and 3 more'.
 */
export function alertName(alert: AskedCars): string {
  const cars = [...askedCars(alert)].flatMap(([make, models]) => (models ?? [null]).map((model) => ({ make, model })));
  const nameOf = ({ make, model }: { make: string; model: string | null }) =>
    model === null ? makeLabel(make) : `${makeLabel(make)} ${modelLabel(make, model)}`;
  const [first = { make: alert.make, model: null }, second] = cars;
  if (!second) return nameOf(first);
  if (cars.length > 2) return `${nameOf(first)} and ${cars.length - 1} more`;
  const other = second.make === first.make ? modelLabel(second.make, second.model ?? '') : nameOf(second);
  return `${nameOf(first)} or ${other}`;
}

function yearRange(min: number | null, max: number | null): string | null {
  if (min !== null && max !== null) return min === max ? String(min) : `${min}–${max}`;
  if (min !== null) return `${min} or newer`;
  return max === null ? null : `${max} or older`;
}

/** The criteria of an alert, as a mail states them: 'Toyota Camry, 2015–2020, within 50 mi'. */
export function alertSummary(alert: SummarizedAlert): string {
  const years = yearRange(alert.yearMin ?? null, alert.yearMax ?? null);
  return [alertName(alert), years, `within ${alert.radius} mi`].filter((part) => part !== null).join(', ');
}
