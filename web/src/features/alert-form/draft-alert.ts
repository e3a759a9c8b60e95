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

export function clearDraftAlert(store = sessionStore()): void {
  store?.removeItem(keys.pending);
  store?.removeItem(keys.prefill);
}
