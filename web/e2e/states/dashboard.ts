import { changeViewer } from '../browser/calls.ts';
import { failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';

const both = ['MyAlerts', 'RecentListings'];

export const dashboardStates: readonly State[] = [
  {
    name: 'dashboard/loading',
    who: 'user',
    path: '/dashboard',
    texts: ['My Alerts'],
    also: ['Loading your alerts'],
    prepare: (page) => holding(page, both),
  },
  {
    name: 'dashboard/matches-loading',
    who: 'user',
    path: '/dashboard',
    texts: ['Recent Matching Listings', 'View matches'],
    also: ['Loading your matches'],
    prepare: (page) => holding(page, 'RecentListings'),
  },
  {
    name: 'dashboard/empty',
    who: 'empty',
    path: '/dashboard',
    texts: ['No Alerts Set Up', 'Create Your First Alert', 'No Matches Yet', 'Create Alert'],
    also: ['Nothing is being watched yet.', /will notify you/, 'Saved cars'],
  },
  {
    name: 'dashboard/filled',
    who: 'user',
    path: '/dashboard',
    texts: [
      'My Alerts',
      'Recent Matching Listings',
      'Your Active Alerts',
      'Create Alert',
      'Any',
      'Current',
      'Active',
      'Inactive',
      'Created',
      'View matches',
      'New',
      'View on Marketplace',
      'Load more results',
      'Yesterday',
      'Just now',
    ],
    also: [/^Good \w+, ana$/, 'Saved cars'],
  },
  {
    name: 'dashboard/all-loaded',
    who: 'user',
    path: '/dashboard',
    texts: ['Location unavailable', 'N/A', '1hr ago', 'Nhrs ago', 'Today'],
    act: (page) => page.locator('section[aria-labelledby=recent-listings] button').last().click(),
  },
  {
    name: 'dashboard/messages-paused',
    who: 'user',
    path: '/dashboard',
    texts: ['My Alerts', 'View matches'],
    also: ['All messages are paused. Your alerts keep watching.', 'Resume'],
    prepare: (page) => changeViewer(page, (me) => Object.assign(me, { messagesPaused: true })),
  },
  {
    name: 'dashboard/mails-stopped',
    who: 'user',
    path: '/dashboard',
    texts: ['My Alerts', 'View matches'],
    also: [/^A mail to ana@.* came back, so your matches wait\./, 'Try again', 'Use another address'],
    prepare: (page) => changeViewer(page, (me) => Object.assign(me, { emailSuppression: { reason: 'bounced' } })),
  },
  {
    name: 'dashboard/alerts-failed',
    who: 'user',
    path: '/dashboard',
    texts: ['Try Again', 'View on Marketplace'],
    also: ['Your alerts could not be loaded', INTERNAL_ERROR.message],
    prepare: (page) => failing(page, 'MyAlerts', INTERNAL_ERROR),
  },
  {
    name: 'dashboard/all-failed',
    who: 'user',
    path: '/dashboard',
    texts: ['Try Again'],
    also: ['Your alerts could not be loaded', 'Your matches could not be loaded'],
    prepare: (page) => failing(page, both, 'offline'),
  },
];
