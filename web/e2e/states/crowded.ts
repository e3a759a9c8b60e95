import type { Page } from 'playwright-core';
import { COUNTED_MATCHES } from '../../../api/src/domain/match-cap.ts';
import { intercept } from '../browser/calls.ts';
import type { State } from './state.ts';

/** Lets every alert have more matches, and more new cars, than it keeps. */
const crowding = (page: Page) =>
  intercept(page, ['MyAlerts', 'AlertPage', 'AlertMatches', 'NewCounts', 'LiveStart'], async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/"(matchCount|newCount)":\d+/g, `"$1":${COUNTED_MATCHES}`);
    await route.fulfill({ response, body });
  });

export const crowdedStates: readonly State[] = [
  {
    name: 'my-alerts/crowded',
    who: 'user',
    path: '/my-alerts',
    texts: ['Your Active Alerts'],
    also: ['1,000+ new', '1,000+ listings'],
    prepare: crowding,
  },
  {
    name: 'alert/crowded',
    who: 'user',
    path: ({ alerts }) => `/alert/${alerts.supra}`,
    texts: ['Active'],
    also: ['1,000+ matches'],
    sizes: ['phone'],
    prepare: crowding,
  },
];
