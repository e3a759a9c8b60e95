import { failing, holding } from '../browser/faults.ts';
import type { State } from './state.ts';

export const landingStates: readonly State[] = [
  {
    name: 'landing/visitor',
    who: 'visitor',
    path: '/',
    texts: [
      'Already have an account? Sign in',
      'How It Works',
      'Get Started',
      'Choose Plan',
      'Start Creating Alerts Now',
      'BETA',
      'Forever free',
      'POPULAR',
    ],
    also: [/dream car/, /[Nn]o credit card/],
  },
  {
    name: 'landing/plans-loading',
    isLong: true,
    who: 'visitor',
    path: '/',
    texts: ['How It Works'],
    prepare: (page) => holding(page, 'Plans'),
  },
  {
    name: 'landing/plans-failed',
    isLong: true,
    who: 'visitor',
    path: '/',
    texts: ['Try Again'],
    prepare: (page) => failing(page, 'Plans', 'offline'),
  },
  {
    name: 'landing/invalid',
    who: 'visitor',
    path: '/',
    texts: ['Car make is required', 'Location is required'],
    act: (page) => page.locator('main form [type=submit]').click(),
  },
  {
    name: 'landing/member',
    isLong: true,
    who: 'user',
    path: '/',
    texts: ['Start Creating Alerts Now', 'Choose Plan'],
    also: ['See what your alerts found'],
  },
];
