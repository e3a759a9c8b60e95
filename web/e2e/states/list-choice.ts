import { failing, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';

/** An alert's matches as the address chooses them. */
export const listChoiceStates: readonly State[] = [
  {
    name: 'alert/sorted',
    who: 'user',
    path: (fixtures) => `/alert/${fixtures.alerts.supra}?sort=price`,
    texts: ['View on Marketplace'],
    also: ['Lowest price', 'Price drops', '5 matches'],
    sizes: ['phone', 'desktop'],
  },
  {
    name: 'alert/none-left',
    isLong: true,
    who: 'user',
    path: (fixtures) => `/alert/${fixtures.alerts.supra}?only=new,saved`,
    texts: [],
    also: ['No match is left by these filters', 'Show all matches', '0 of 5 matches'],
    sizes: ['phone'],
  },
  {
    name: 'alert/asked-car-gone',
    who: 'user',
    path: (fixtures) => `/alert/${fixtures.alerts.supra}?car=999999999`,
    texts: ['View on Marketplace'],
    also: ['The car of your message no longer matches this alert.'],
    sizes: ['phone'],
  },
  {
    name: 'alert/asked-car-failed',
    isLong: true,
    who: 'user',
    path: (fixtures) => `/alert/${fixtures.alerts.supra}?car=999999999`,
    texts: ['View on Marketplace'],
    also: ['The car of your message could not be loaded.', 'Try Again'],
    prepare: (page) => failing(page, 'AskedCar', INTERNAL_ERROR),
  },
];
