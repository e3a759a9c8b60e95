import { isHttps } from '../../lib/state/drawn.ts';

export type CookieCategory = 'necessary' | 'analytics' | 'preferences' | 'marketing';

/** The categories of the cookie choice, with their uses. */
export const cookieCategories: readonly { category: CookieCategory; name: string; text: string }[] = [
  {
    category: 'necessary',
    name: 'Necessary',
    text: 'Signing in, this choice, keeping your alert while you sign in, and the cars you compare. Always on.',
  },
  {
    category: 'analytics',
    name: 'Analytics',
    text: 'Counting visits to improve LotWatch. We use none today.',
  },
  {
    category: 'preferences',
    name: 'Preferences',
    text: 'Remembering on this device whether you chose light or dark mode and opened the map, and your queries in the playground.',
  },
  {
    category: 'marketing',
    name: 'Marketing',
    text: 'Personalized advertising. We use none today.',
  },
];

interface StoredInBrowser {
  /** The name in the browser; … stands for a number. */
  key: string;
  category: CookieCategory;
  where: string;
  purpose: string;
  howLong: string;
}

/** With this prefix, over https, a cookie is sent only to its own host. */
const cookieName = (name: string) => (isHttps() ? `__Host-${name}` : name);

/** Everything that a browser stores for LotWatch. */
export const storedInBrowser = (): readonly StoredInBrowser[] => [
  {
    key: cookieName('lotwatch_session'),
    category: 'necessary',
    where: 'Cookie',
    purpose: 'Keeps you signed in. Set only when you sign in.',
    howLong: '30 days after your last visit, 90 days after you signed in, or until you log out',
  },
  {
    key: cookieName('lotwatch_device'),
    category: 'necessary',
    where: 'Cookie',
    purpose:
      'Proves that this device was signed in before, so that wrong passwords typed elsewhere can’t keep you out. It does not say who you are.',
    howLong: 'A year after you last signed in',
  },
  {
    key: 'cookie-consent',
    category: 'necessary',
    where: 'Local storage',
    purpose: 'Remembers what you chose here, so that we do not ask again.',
    howLong: 'Until you change your choice',
  },
  {
    key: 'service-worker.js',
    category: 'necessary',
    where: 'Service worker',
    purpose:
      'Stores the files of our pages, so that they open without a connection, and shows push notifications while LotWatch is closed. Installed when you are signed in. A subscription at the push service of your browser’s maker is made only when you turn notifications on.',
    howLong:
      "Until you clear our site's data; the subscription until you turn push notifications off, sign out here, or open LotWatch after this browser was removed from your account",
  },
  {
    key: 'lotwatch',
    category: 'necessary',
    where: 'Database of the browser',
    purpose:
      'Holds what your dashboard, your alerts and their matches showed last, with the number and the name of your account, so that you can read it without a connection, and what you pressed without one until it is sent.',
    howLong: '7 days, at most 30 answers and 50 presses, or until you sign out',
  },
  {
    key: 'lotwatch-photos',
    category: 'necessary',
    where: 'Cache of the service worker',
    purpose: 'Holds the photos that your pages showed last, so that you can see them without a connection.',
    howLong: '7 days, at most 120 photos, or until you sign out',
  },
  {
    key: 'workbox-expiration',
    category: 'necessary',
    where: 'Database of the browser',
    purpose:
      'Holds when each of these photos, and each file of our pages, was last used, with its address, so that the oldest are deleted first.',
    howLong: 'As long as the photo; 30 days for files',
  },
  {
    key: 'pendingAlert',
    category: 'necessary',
    where: 'Session storage',
    purpose: 'Holds the alert you typed on the home page, or took from a shared link, while you sign in.',
    howLong: 'Until the form is opened, or the tab is closed',
  },
  {
    key: 'prefillAlert',
    category: 'necessary',
    where: 'Session storage',
    purpose:
      'Holds the alert you typed on the home page, or took from a shared link or another alert, until the form opens.',
    howLong: 'Until the form is opened, or the tab is closed',
  },
  {
    key: 'lotwatch-compared',
    category: 'necessary',
    where: 'Session storage',
    purpose: 'Holds the cars that you chose to compare, with the number of your account.',
    howLong: 'Until you clear the choice, sign out, or close the tab',
  },
  {
    key: 'react-router-scroll-positions',
    category: 'necessary',
    where: 'Session storage',
    purpose: 'Restores the scroll position when you go back a page.',
    howLong: 'Until the tab is closed',
  },
  {
    key: 'lotwatch-reloaded-at',
    category: 'necessary',
    where: 'Session storage',
    purpose: 'Stores that a page reloaded itself after an update, so that it does so only once.',
    howLong: 'Until the tab is closed',
  },
  {
    key: 'lotwatch-colour-mode',
    category: 'preferences',
    where: 'Local storage',
    purpose:
      'Remembers whether you chose light or dark mode. Without your consent, it is kept in session storage for the visit.',
    howLong: 'Until you switch preferences off',
  },
  {
    key: 'lotwatch-map',
    category: 'preferences',
    where: 'Local storage',
    purpose:
      'Remembers whether you opened or closed the map of matches. Without your consent, it is kept in session storage for the visit.',
    howLong: 'Until you switch preferences off',
  },
  {
    key: 'lotwatch-playground-…',
    category: 'preferences',
    where: 'Local storage',
    purpose:
      'Holds the tabs and the history of the playground, under the number of your account, without headers and without anything that mentions a password or token. Without your consent, they are kept in session storage for the visit.',
    howLong: 'Until you clear them there, or switch preferences off',
  },
];

/** Everything that the server stores about people. */
export const storedOnServer: readonly { what: string; purpose: string; howLong: string }[] = [
  {
    what: 'Account: username, hashed password, email, phone, time zone, plan, dates',
    purpose: 'To identify and contact you.',
    howLong: 'As long as your account',
  },
  {
    what: 'An email address that you changed',
    purpose: 'To restore it if somebody else changed it.',
    howLong: '8 days',
  },
  {
    what: 'Alerts',
    purpose: 'To find your cars.',
    howLong: 'Until you delete them. They expire after 6 weeks unless you renew them',
  },
  {
    what: 'Matches, the listings you opened or saved, and the cars you hid',
    purpose: 'To show them, and to notify you of each only once.',
    howLong:
      'Until you delete their alert, or as long as your account. Matches of cars that you did not save or hide are deleted earlier: if the car is no longer offered, after a time that the operator sets, usually a little more than a year; and beyond the newest 1,000 of an alert, unless you opened the car in the last 30 days. Some stay until a message about the car is sent',
  },
  {
    what: 'Your notes about cars',
    purpose: 'To show them to you alone.',
    howLong: 'Until you remove them, but no longer than the car’s listing or your account',
  },
  {
    what: 'Links by which you share an alert or a list of cars, without their addresses',
    purpose: 'To show the cars to whoever has the link, and to let you end it.',
    howLong: 'Until you end them, at most 90 days and no longer than the alert or your account',
  },
  {
    what: 'Mails and texts that we sent you',
    purpose: 'To send each only once, and to see why one did not arrive.',
    howLong: 'As long as your account, but no longer than the operator sets, usually a little more than a year',
  },
  {
    what: 'That push messages were sent to you, without their words',
    purpose: 'To send each only once, and to see why one did not arrive.',
    howLong: '12 months, but no longer than your account',
  },
  {
    what: 'Browsers with push notifications: their address at the browser maker, their keys, and the names of browser and system',
    purpose: "To send messages to them, encrypted, through the browser maker's push service.",
    howLong:
      'Until you turn them off there or in the settings, sign out there, or change your password elsewhere; until somebody else signs in there, or the push service has accepted nothing for a month. No longer than your account',
  },
  {
    what: 'That a code was texted to your phone, and a hash of the code',
    purpose: 'To verify that the number is yours, and to prevent guessing.',
    howLong: 'A day',
  },
  {
    what: 'What our mail provider reports of a mail: that it arrived, came back or was reported as spam',
    purpose: 'To show you when it arrived.',
    howLong: '30 days; the result as long as your account',
  },
  {
    what: 'Addresses to which a mail came back, where one was reported as spam, or whose reader unsubscribed',
    purpose: 'To send no more matches to them.',
    howLong:
      'As long as the account that confirmed the address. If nobody confirmed it, a report as spam or an unsubscription is kept even when an account with the address is deleted',
  },
  {
    what: 'Numbers that replied STOP to a text',
    purpose: 'To send no more texts to them.',
    howLong: 'Until they text START, or as long as the account that confirmed them',
  },
  {
    what: 'Messages of the contact form: name, email, subject, text',
    purpose: 'To answer you.',
    howLong: '12 months, but no longer than your account',
  },
  {
    what: 'Sessions: which browser and system you signed in with, when, and the hour of the last use',
    purpose: 'To keep you signed in, and to show you where you are signed in.',
    howLong: 'Until you sign out there, at most 30 days after your last visit and 90 days after you signed in',
  },
  {
    what: 'Counts of logins, registrations and messages by network address',
    purpose: 'To prevent password guessing and floods of requests.',
    howLong: 'An hour or two',
  },
  {
    what: 'The number of mails to an address per day, stored under a hash of the address',
    purpose: 'To prevent others from flooding your mailbox through us.',
    howLong: 'One day and two hours',
  },
  {
    what: 'Deletion requests and their receipts',
    purpose: 'To process them within 30 days, and to show that we did.',
    howLong: 'The request is deleted with the account. The receipt is kept and contains no personal data',
  },
];
