import { expect, it } from 'vitest';
import { alertFormDefaults } from './alert-form-values.ts';
import { clearDraftAlert, hasPendingAlert, readDraftAlert, storeDraftAlert } from './draft-alert.ts';

function makeStore(): Storage {
  const entries = new Map<string, string>();
  return {
    get length() {
      return entries.size;
    },
    clear: () => entries.clear(),
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}

const values = { ...alertFormDefaults, make: 'toyota', model: 'camry', location: 'Los Angeles, CA', priceMax: '' };

it('keeps a pending alert until it is dropped', () => {
  const store = makeStore();
  storeDraftAlert('pending', values, store);
  expect(hasPendingAlert(store)).toBe(true);
  expect(readDraftAlert(alertFormDefaults, store)).toEqual(values);
  clearDraftAlert(store);
  expect(readDraftAlert(alertFormDefaults, store)).toBeNull();
  expect(store.length).toBe(0);
});

it.each([
  [{ priceStated: true }],
  [{ priceStated: false }],
  [{ priceStated: null }],
  [{ models: ['corolla'], excludeWords: ['salvage'], requireWords: null }],
  [{ quietHours: { from: '22:00', to: '07:00', days: [0] } }],
  [{ belowFairPrice: true }],
])('keeps %j', (filters) => {
  const store = makeStore();
  const filtered = { ...values, ...filters };
  storeDraftAlert('pending', filtered, store);
  expect(readDraftAlert(alertFormDefaults, store)).toEqual(filtered);
});

it('lets the newest win, and a prefill is not pending', () => {
  const store = makeStore();
  storeDraftAlert('pending', values, store);
  storeDraftAlert('prefill', { ...values, make: 'honda', model: '' }, store);
  expect(hasPendingAlert(store)).toBe(false);
  expect(readDraftAlert(alertFormDefaults, store)?.make).toBe('honda');
  expect(store.length).toBe(1);
});

it('takes no foreign or broken content', () => {
  const store = makeStore();
  store.setItem('pendingAlert', '{"make":"toyota","priceMax":7,"constructor":"x"}');
  expect(readDraftAlert(alertFormDefaults, store)).toEqual({ ...alertFormDefaults, make: 'toyota' });
  store.setItem('pendingAlert', '{"priceStated":"yes","models":{},"excludeWords":[7],"quietHours":"22:00"}');
  expect(readDraftAlert(alertFormDefaults, store)).toEqual(alertFormDefaults);
  store.setItem('pendingAlert', '{broken');
  expect(readDraftAlert(alertFormDefaults, store)).toBeNull();
});
