import { createStore } from './store.ts';

export interface Toast {
  id: number;
  title: string;
  description: string | undefined;
  /** `plain` says that something worked, `notice` that something isn't possible, `destructive` that it failed. */
  tone: 'plain' | 'notice' | 'destructive';
}

/** At most one toast is visible: a new one replaces the one before. */
export const toastStore = createStore<Toast | null>(null);
let lastId = 0;

/** Shows a toast for 5000 ms. */
export function toast(title: string, description?: string, tone: Toast['tone'] = 'plain'): void {
  lastId += 1;
  toastStore.set({ id: lastId, title, description, tone });
}

export function dismissToast(id: number): void {
  if (toastStore.get()?.id === id) toastStore.set(null);
}
