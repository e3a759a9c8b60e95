import { cookieConsent } from './cookie-consent.ts';
import { createStore, useStore } from './store.ts';

export type ColourMode = 'light' | 'dark';

const storageKey = 'lotwatch-colour-mode';
const isDark = typeof document !== 'undefined' && document.documentElement.classList.contains('dark');
const colourMode = createStore<ColourMode>(isDark ? 'dark' : 'light');

export function useColourMode(): ColourMode {
  return useStore(colourMode);
}

function apply(mode: ColourMode): void {
  const root = document.documentElement;
  root.classList.remove('light', 'dark');
  root.classList.add(mode);
  root.style.colorScheme = mode;
  for (const bar of document.querySelectorAll('meta[name="theme-color"]')) {
    bar.setAttribute('content', mode === 'dark' ? '#0C1413' : '#F7F6F2');
  }
  colourMode.set(mode);
}

/** The viewer's choice, in this visit or before. */
function chosenMode(): string | null {
  try {
    return sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey);
  } catch {
    // Storage may be forbidden.
    return null;
  }
}

/** Stores a choice on this machine if preferences are allowed, else for the visit. */
function remember(mode: string): void {
  const isLasting = cookieConsent.get()?.preferences === true;
  try {
    (isLasting ? localStorage : sessionStorage).setItem(storageKey, mode);
    (isLasting ? sessionStorage : localStorage).removeItem(storageKey);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

cookieConsent.subscribe(() => {
  const chosen = chosenMode();
  if (chosen !== null) remember(chosen);
});

/** Switches to the other mode and stores it as far as the cookie choice allows. */
export function toggleColourMode(): void {
  const mode = colourMode.get() === 'dark' ? 'light' : 'dark';
  apply(mode);
  remember(mode);
}

/** Until the viewer chose, the page follows the system while it is open. */
export function followSystemColourMode(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
    if (chosenMode() === null) apply(event.matches ? 'dark' : 'light');
  });
}
