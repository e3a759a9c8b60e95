import { expect, it } from 'vitest';
import { alertFormDefaults } from './alert-form-values.ts';
import {
  clearDraftAlert,
  hasPendingAlert,
  keptAlertText,
  readDraftAlert,
  readKeptAlert,
  storeDraftAlert,
} from './draft-alert.ts';

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

it.each([
  [{}, 'Toyota Camry · 50 miles of Los Angeles, CA'],
  [{ priceMin: '0', priceMax: '50000' }, 'Toyota Camry · 50 miles of Los Angeles, CA · up to $50,000'],
  [{ priceMin: '5000', priceMax: '18000' }, 'Toyota Camry · 50 miles of Los Angeles, CA · $5,000 to $18,000'],
  [{ priceMin: '5000' }, 'Toyota Camry · 50 miles of Los Angeles, CA · from $5,000'],
  [{ radius: 'any' }, 'Toyota Camry · near Los Angeles, CA'],
])('says of a kept alert with %j what it asks for', (more, text) => {
  const store = makeStore();
  storeDraftAlert('pending', { ...values, priceMin: '', ...more }, store);
  const kept = readKeptAlert(store);
  expect(kept).toMatchObject({ make: 'toyota', model: 'camry', models: [] });
  expect(kept && keptAlertText('Toyota Camry', kept)).toBe(text);
});

it.each(['null', '7', '{broken', '{"make":"toyota"}', '{"make":7,"location":"Austin, TX"}'])(
  'says nothing of a kept alert that is broken: %s',
  (text) => {
    const store = makeStore();
    store.setItem('pendingAlert', text);
    expect(readKeptAlert(store)).toBeNull();
  },
);

it('says nothing of a prefill, which nobody must sign in for', () => {
  const store = makeStore();
  storeDraftAlert('prefill', values, store);
  expect(readKeptAlert(store)).toBeNull();
});
