import { createStore } from './store.ts';

/** What screen readers announce next; `count` makes them announce the same sentence again. */
export const announcement = createStore<{ text: string; count: number }>({ text: '', count: 0 });

/** Announces a sentence to screen readers politely. */
export function announce(text: string): void {
  announcement.set({ text, count: announcement.get().count + 1 });
}
