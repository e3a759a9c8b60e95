import type { Page } from 'playwright-core';
import { failing, holding } from '../browser/faults.ts';
import { allowPageErrors } from '../browser/page-errors.ts';
import type { State } from './state.ts';

const write = async (page: Page) => {
  await page.locator('[name=name]').fill('Ada');
  await page.locator('[name=email]').fill('ada@example.com');
  await page.locator('[name=subject]').fill('An idea');
  await page.locator('[name=message]').fill('Could an alert ask for two makes at once?');
  await send(page);
};
const send = (page: Page) => page.locator('main form [type=submit]').click();

const OPERATION = 'SendContactMessage';
const REFUSED = 'Please enter a valid email';
const banner = (page: Page) => page.locator('section[aria-label=Cookies]');

/** The texts of a page whose code could not be loaded. */
const breakCode = async (page: Page) => {
  allowPageErrors(page, /Failed to (load|fetch)|preload/);
  await page.route('**/assets/PrivacyPage-*', (route) => route.abort());
};
const openPrivacy = (page: Page) => page.locator('footer a[href="/privacy"]').click();

/** Contact, the pages of text, missing pages, and the cookie banner. */
export const contactStates: readonly State[] = [
  {
    name: 'contact/visitor',
    who: 'visitor',
    path: '/contact',
    texts: ['Contact Us'],
    also: ['Support email', /^support@/, 'Monday-Friday 9am-5pm EST', 'Send Message'],
  },
  {
    name: 'contact/loading',
    isLong: true,
    who: 'user',
    path: '/contact',
    texts: ['Contact Us'],
    also: ['Loading'],
    prepare: (page) => holding(page, ['Viewer', 'Site']),
  },
  {
    name: 'contact/member',
    isLong: true,
    who: 'user',
    path: '/contact',
    texts: ['Contact Us'],
    also: ['Send Message'],
  },
  { name: 'contact/refused', who: 'visitor', path: '/contact', texts: [], also: ['Required'], act: send },
  {
    name: 'contact/refused-by-server',
    who: 'visitor',
    path: '/contact',
    texts: ['Please enter a valid email'],
    prepare: (page) => failing(page, OPERATION, { message: REFUSED, code: 'VALIDATION', fields: { email: REFUSED } }),
    act: write,
  },
  {
    name: 'contact/sending',
    who: 'visitor',
    path: '/contact',
    texts: [],
    also: ['Sending...'],
    prepare: (page) => holding(page, OPERATION),
    act: write,
  },
  {
    name: 'contact/sent',
    who: 'visitor',
    path: '/contact',
    texts: ['Message sent!', 'Thank You!', 'Send Another Message'],
    act: write,
  },
  {
    name: 'contact/failed',
    who: 'visitor',
    path: '/contact',
    texts: ['Error', 'Failed to send your message. Please try again later.'],
    prepare: (page) => failing(page, OPERATION, { message: '' }),
    act: write,
  },
  {
    name: 'contact-us/visitor',
    who: 'visitor',
    path: '/contact-us',
    texts: [],
    also: ['Contact Sales', '100 alerts at once', 'API access', 'Elite, $69.99 per month'],
  },
  {
    name: 'privacy/visitor',
    who: 'visitor',
    path: '/privacy',
    texts: ['Privacy Policy'],
    also: ['Back to home', /Last updated/, /at least 16 years/, /more than 24 months/, /within 30 days/, /6 weeks/],
  },
  {
    name: 'terms/visitor',
    who: 'visitor',
    path: '/terms',
    texts: ['Terms of Service'],
    also: ['Back to home', /Last updated/, /at least 16 years/, /6 weeks/],
  },
  {
    name: 'privacy-policy/visitor',
    who: 'visitor',
    path: '/privacy-policy',
    texts: ['Preferences'],
    also: ['Cookies and Stored Data', 'lotwatch_session', 'lotwatch_device', 'cookie-consent', 'Your choice'],
  },
  {
    name: 'not-found/visitor',
    who: 'visitor',
    path: '/no-such-page',
    texts: ['404 Page Not Found', 'Home'],
    also: ['Did you forget to add the page to the router?'],
  },
  {
    name: 'page-failed/code-gone',
    who: 'visitor',
    path: '/terms',
    texts: ['Try Again', 'Home'],
    also: ['This page stopped working'],
    prepare: breakCode,
    act: openPrivacy,
  },
  {
    name: 'page-failed/unreachable',
    who: 'visitor',
    path: '/terms',
    texts: ['Home'],
    also: ['This page could not be loaded'],
    prepare: async (page) => {
      await breakCode(page);
      await page.route('**/healthz', (route) => route.abort());
    },
    act: openPrivacy,
  },
  {
    name: 'cookies/banner',
    who: 'visitor',
    path: '/',
    firstVisit: true,
    texts: ['Preferences', 'Necessary Only', 'Accept All'],
    also: ['What we store'],
  },
  {
    name: 'cookies/preferences',
    who: 'visitor',
    path: '/contact',
    firstVisit: true,
    texts: ['Accept Necessary Only', 'Accept All', 'Save Preferences'],
    also: ['Cookie Preferences', 'Analytics', 'Marketing'],
    act: (page) => banner(page).locator('button').first().click(),
  },
];
