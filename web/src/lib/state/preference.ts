import { cookieConsent } from './cookie-consent.ts';

/** A choice of the viewer's that outlasts the page as far as the cookie choice allows. */
interface Preference {
  /** The choice in this visit or before; null if there is none. */
  read(): string | null;
  /** Stores it on this machine if preferences are allowed, else for the visit. */
  remember(choice: string): void;
}

/** @param key in the browser's storage, which `stored-data.ts` has to name */
export function makePreference(key: string): Preference {
  const preference: Preference = {
    read() {
      try {
        return sessionStorage.getItem(key) ?? localStorage.getItem(key);
      } catch {
        // Storage may be forbidden.
        return null;
      }
    },
    remember(choice) {
      const isLasting = cookieConsent.get()?.preferences === true;
      try {
        (isLasting ? localStorage : sessionStorage).setItem(key, choice);
        (isLasting ? sessionStorage : localStorage).removeItem(key);
      } catch {
        // Without storage the choice lasts until the page is left.
      }
    },
  };
  cookieConsent.subscribe(() => {
    const choice = preference.read();
    if (choice !== null) preference.remember(choice);
  });
  return preference;
}
