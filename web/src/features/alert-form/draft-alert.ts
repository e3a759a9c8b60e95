import { dollars, miles } from '../../lib/text/amounts.ts';
import type { AlertFormValues } from './alert-form-values.ts';
import { isFormValue } from './is-form-value.ts';

/**
 * `pending`: typed, or taken from a shared link, by a visitor who must sign in first. `prefill`: typed on the landing page, or
 * taken from a shared link or another alert, by someone signed in.
 */
export type DraftKind = 'pending' | 'prefill';

const keys: Record<DraftKind, string> = { pending: 'pendingAlert', prefill: 'prefillAlert' };

function sessionStore(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

/** Keeps the quick form's values for the create form; the newest one replaces any other. */
export function storeDraftAlert(kind: DraftKind, values: Partial<AlertFormValues>, store = sessionStore()): void {
  try {
    clearDraftAlert(store);
    store?.setItem(keys[kind], JSON.stringify(values));
  } catch {
    // Full or forbidden storage loses the shortcut, not the page.
  }
}

export function hasPendingAlert(store = sessionStore()): boolean {
  return store?.getItem(keys.pending) != null;
}

/**
 * What waits, laid over the form's defaults; foreign or broken content counts as nothing. Removing it is the caller's turn.
 * @param defaults a parameter, so that the sign-in page, which asks only whether something waits, doesn't load the form's schema
 */
export function readDraftAlert(defaults: AlertFormValues, store = sessionStore()): AlertFormValues | null {
  const text = store?.getItem(keys.pending) ?? store?.getItem(keys.prefill);
  if (!text) return null;
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== 'object' || stored === null) return null;
    const known = Object.entries(stored).filter(([name, value]) => isFormValue(name, value, defaults));
    return { ...defaults, ...Object.fromEntries(known) };
  } catch {
    return null;
  }
}

/** What the sign-in page says of the alert that waits. */
export interface KeptAlert {
  make: string;
  model: string;
  models: readonly string[];
  location: string;
  radius: string;
  priceMin: string;
  priceMax: string;
}

/** The alert that waits for its visitor's account; null without one, or if it is broken. */
export function readKeptAlert(store = sessionStore()): KeptAlert | null {
  try {
    return keptAlertOf(JSON.parse(store?.getItem(keys.pending) ?? 'null') as Record<string, unknown> | null);
  } catch {
    return null;
  }
}

/** The quick form's values in an address, to which the server leads browsers that ran no script; null without them. */
export function readSentAlert(search: string): Record<string, string | boolean> | null {
  const { plan: _, from: __, ...sent } = Object.fromEntries(new URLSearchParams(search));
  if (!sent.make || !sent.location) return null;
  return { ...sent, ...(sent.onlyWithImages !== undefined && { onlyWithImages: sent.onlyWithImages === 'true' }) };
}

/** What is said of stored values; null if they are none. */
export function keptAlertOf(stored: Readonly<Record<string, unknown>> | null): KeptAlert | null {
  const text = (name: keyof KeptAlert): string => (typeof stored?.[name] === 'string' ? stored[name] : '');
  const models: unknown[] = Array.isArray(stored?.models) ? stored.models : [];
  const kept = {
    make: text('make'),
    model: text('model'),
    models: models.filter((one) => typeof one === 'string'),
    location: text('location'),
    radius: text('radius'),
    priceMin: text('priceMin'),
    priceMax: text('priceMax'),
  };
  return kept.make && kept.location ? kept : null;
}

/** `Toyota Camry · 50 miles of Los Angeles, CA · up to $50,000`. @param car what it asks for, as the catalogue names it */
export function keptAlertText(car: string, kept: Omit<KeptAlert, 'make' | 'model' | 'models'>): string {
  const radius = Number(kept.radius);
  const place = radius > 0 ? `${miles(radius)} of ${kept.location}` : `near ${kept.location}`;
  return [car, place, keptPrices(Number(kept.priceMin), Number(kept.priceMax))].filter(Boolean).join(' · ');
}

function keptPrices(min: number, max: number): string {
  if (max > 0) return min > 0 ? `${dollars(min)} to ${dollars(max)}` : `up to ${dollars(max)}`;
  return min > 0 ? `from ${dollars(min)}` : '';
}

export function clearDraftAlert(store = sessionStore()): void {
  store?.removeItem(keys.pending);
  store?.removeItem(keys.prefill);
}
