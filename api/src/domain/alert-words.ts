import { makeLabel, modelLabel } from './catalogue.ts';

interface NamedAlert {
  make: string;
  model?: string | null;
}

interface AskedAlert extends NamedAlert {
  yearMin?: number | null;
  yearMax?: number | null;
  radius: number;
}

/** What an alert is called: 'Toyota Camry', or 'Toyota' for any model. */
export function alertName(alert: NamedAlert): string {
  const make = makeLabel(alert.make);
  return alert.model ? `${make} ${modelLabel(alert.make, alert.model)}` : make;
}

function yearWords(min: number | null, max: number | null): string | null {
  if (min !== null && max !== null) return min === max ? String(min) : `${min}–${max}`;
  if (min !== null) return `${min} or newer`;
  return max === null ? null : `${max} or older`;
}

/** Why a car was mailed: 'Toyota Camry, 2015–2020, within 50 mi'. */
export function reasonWords(alert: AskedAlert): string {
  const years = yearWords(alert.yearMin ?? null, alert.yearMax ?? null);
  return [alertName(alert), years, `within ${alert.radius} mi`].filter((part) => part !== null).join(', ');
}
