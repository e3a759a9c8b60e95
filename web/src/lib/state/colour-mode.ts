import { isServer } from './drawn.ts';
import { makePreference } from './preference.ts';
import { createStore, useStore } from './store.ts';

export type ColourMode = 'light' | 'dark';

const preference = makePreference('lotwatch-colour-mode');
const isDark = !isServer && document.documentElement.classList.contains('dark');
const colourMode = createStore<ColourMode>(isDark ? 'dark' : 'light', () => 'light');

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

/** Switches to the other mode and stores it as far as the cookie choice allows. */
export function toggleColourMode(): void {
  const mode = colourMode.get() === 'dark' ? 'light' : 'dark';
  apply(mode);
  preference.remember(mode);
}

/** Until the viewer chose, the page follows the system while it is open. */
export function followSystemColourMode(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
    if (preference.read() === null) apply(event.matches ? 'dark' : 'light');
  });
}
