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
    who: 'user',
    path: (fixtures) => `/alert/${fixtures.alerts.supra}?only=new,saved`,
    texts: [],
    also: ['No match is left by these filters', 'Show all matches', '0 of 5 matches'],
    sizes: ['phone'],
  },
];
