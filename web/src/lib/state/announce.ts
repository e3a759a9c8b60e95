import { createStore } from './store.ts';

/** What screen readers announce next; `count` makes them announce the same sentence again. */
export const announcement = createStore<{ text: string; count: number }>({ text: '', count: 0 });

/** Says a sentence politely to screen readers, without a visible sign. */
export function announce(text: string): void {
  announcement.set({ text, count: announcement.get().count + 1 });
}
