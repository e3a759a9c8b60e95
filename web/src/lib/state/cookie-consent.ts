import { createStore, useStore } from './store.ts';

/** What a visitor allows to be stored on their machine; `necessary` can't be refused. */
export interface CookieConsent {
  necessary: true;
  analytics: boolean;
  preferences: boolean;
  marketing: boolean;
  /** Whether a choice was made; without one nothing is stored. */
  accepted: true;
}

/** The three categories that a visitor chooses. */
export type CookieChoice = Pick<CookieConsent, 'analytics' | 'preferences' | 'marketing'>;

export const necessaryOnly: CookieChoice = { analytics: false, preferences: false, marketing: false };
export const allCookies: CookieChoice = { analytics: true, preferences: true, marketing: true };
/** The initial state of the toggles of the preferences panel. */
export const firstChoice: CookieChoice = { analytics: true, preferences: true, marketing: false };

const storageKey = 'cookie-consent';

/** The prefix of the keys that the playground stores. */
export const PLAYGROUND_KEYS = 'lotwatch-playground-';

/** The stored choice; null if there is none or it can't be read. */
export function parseCookieConsent(stored: string | null): CookieConsent | null {
  if (stored === null) return null;
  try {
    const found: unknown = JSON.parse(stored);
    if (typeof found !== 'object' || found === null) return null;
    const { analytics, preferences, marketing, accepted } = found as Record<string, unknown>;
    if (accepted !== true) return null;
    if (typeof analytics !== 'boolean' || typeof preferences !== 'boolean' || typeof marketing !== 'boolean')
      return null;
    return { necessary: true, analytics, preferences, marketing, accepted };
  } catch {
    return null;
  }
}

function readStored(): CookieConsent | null {
  try {
    return parseCookieConsent(localStorage.getItem(storageKey));
  } catch {
    // Without storage the choice lasts until the page is left.
    return null;
  }
}

/** The visitor's choice; null until there is one. */
export const cookieConsent = createStore<CookieConsent | null>(readStored(), () => null);

export function useCookieConsent(): CookieConsent | null {
  return useStore(cookieConsent);
}

/** Stores a choice on this machine. */
export function storeCookieConsent({ analytics, preferences, marketing }: CookieChoice): void {
  const consent: CookieConsent = { necessary: true, analytics, preferences, marketing, accepted: true };
  try {
    localStorage.setItem(storageKey, JSON.stringify(consent));
    if (!preferences) clearPlayground();
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  cookieConsent.set(consent);
}

/** The playground is a separate page, so its own storage is cleared here when preferences are switched off. */
function clearPlayground(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PLAYGROUND_KEYS)) localStorage.removeItem(key);
  }
}

/** Clears the choice, so that the banner asks again. */
export function clearCookieConsent(): void {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Then nothing was stored either.
  }
  cookieConsent.set(null);
}
