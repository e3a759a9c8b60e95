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
    who: 'visitor',
    path: '/',
    texts: ['How It Works'],
    prepare: (page) => holding(page, 'Plans'),
  },
  {
    name: 'landing/plans-failed',
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
    name: 'landing/login-required',
    who: 'visitor',
    path: '/',
    texts: [
      'Login Required',
      'You need to login or create an account to save this alert.',
      'Login / Register',
      'Cancel',
    ],
    async act(page) {
      await page.locator('[name=make]').selectOption('honda');
      await page.locator('[name=location]').fill('Miami, FL');
      await page.locator('main form [type=submit]').click();
    },
  },
  {
    name: 'landing/member',
    who: 'user',
    path: '/',
    texts: ['Dashboard', 'Start Creating Alerts Now', 'Choose Plan'],
  },
];
