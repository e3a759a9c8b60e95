import { makeLabel, modelLabel } from './catalogue.ts';

interface NamedAlert {
  make: string;
  model?: string | null;
}

interface SummarizedAlert extends NamedAlert {
  yearMin?: number | null;
  yearMax?: number | null;
  /** Miles. */
  radius: number;
}

/** The name of an alert: 'Toyota Camry', or 'Toyota' for any model. */
export function alertName(alert: NamedAlert): string {
  const make = makeLabel(alert.make);
  return alert.model ? `${make} ${modelLabel(alert.make, alert.model)}` : make;
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
