import { expect, it } from 'vitest';
import { dismissToast, toast, toastStore } from './toasts.ts';

it('shows one toast: a new one replaces the one before, and only itself is dismissed', () => {
  toast('Alert created', 'Your new alert has been created successfully.');
  const first = toastStore.get();
  toast('Error', 'Boom', 'destructive');
  const second = toastStore.get();
  expect(second).toMatchObject({ title: 'Error', description: 'Boom', tone: 'destructive' });
  dismissToast(first?.id ?? 0);
  expect(toastStore.get()).toBe(second);
  dismissToast(second?.id ?? 0);
  expect(toastStore.get()).toBeNull();
});
