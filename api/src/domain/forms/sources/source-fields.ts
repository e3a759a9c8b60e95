import { jsonFeedFields } from './json-feed-fields.ts';
import { address, every, header, privateNetwork, type SourceField } from './source-field.ts';

/** The kinds of sources that the browser offers, each with its fields. A push has none, as its sender decides. */
export const sourceFields = {
  'vehicle-feed': [
    address(
      'The file with all cars of the lot: CSV, TSV or XML, also packed as .gz.',
      'https://dealer.example/feed.csv',
    ),
    ...header,
    every(300),
    privateNetwork,
  ],
  ebay: [
    {
      name: 'clientId',
      path: 'clientId',
      label: 'App ID (Client ID)',
      control: 'line',
      required: true,
      hint: 'Of the keyset for Production.',
      placeholder: 'YourName-LotWatch-PRD-0123456789ab-01234567',
    },
    {
      name: 'clientSecret',
      path: 'clientSecret',
      label: 'Cert ID (Client Secret)',
      control: 'line',
      required: true,
      secret: true,
      hint: 'Stored encrypted, and sent to eBay alone.',
    },
    {
      name: 'zip',
      path: 'zip',
      label: 'Near this ZIP code',
      control: 'line',
      with: 'radiusMiles',
      hint: 'Without it, cars of all the United States.',
      placeholder: '78701',
    },
    {
      name: 'radiusMiles',
      path: 'radiusMiles',
      label: 'Within so many miles',
      control: 'number',
      with: 'zip',
      min: 1,
      max: 500,
      placeholder: '150',
    },
    {
      name: 'callsPerDay',
      path: 'callsPerDay',
      label: 'Calls in 24 hours at most',
      control: 'number',
      min: 50,
      max: 10_000_000,
      initial: '5000',
      further: true,
      hint: 'For all sources with these keys. eBay gives 5,000, and more on request.',
    },
    {
      name: 'apiBase',
      path: 'apiBase',
      label: 'Where the API is',
      control: 'address',
      receivesSecrets: true,
      initial: 'https://api.ebay.com',
      further: true,
      hint: 'https://api.sandbox.ebay.com for keys of the Sandbox.',
    },
    every(60),
    privateNetwork,
  ],
  'vehicle-pages': [
    {
      name: 'site',
      path: 'site',
      label: 'The site',
      control: 'address',
      required: true,
      hint: 'Its pages are found by its sitemaps.',
      placeholder: 'https://dealer.example',
    },
    {
      name: 'include',
      path: 'include',
      label: 'Pages of cars begin with',
      control: 'lines',
      hint: 'What the addresses of cars have in common after the name of the site, one a line; * stands for anything. Without it, all pages.',
      placeholder: '/used/',
    },
    {
      name: 'place',
      path: 'place',
      label: 'Where the cars are',
      control: 'line',
      hint: 'For pages that state no place: a city and state, or a ZIP code. A car without a place matches no alert.',
      placeholder: 'Boise, ID',
    },
    {
      name: 'exclude',
      path: 'exclude',
      label: 'Leave out pages that begin with',
      control: 'lines',
      placeholder: '/used/sold/',
      further: true,
    },
    {
      name: 'maxPages',
      path: 'maxPages',
      label: 'Pages at most',
      control: 'number',
      min: 1,
      max: 5000,
      initial: '500',
      further: true,
      hint: 'One page a second is read, so 500 pages take nine minutes.',
    },
    { ...every(3600), min: 600 },
    privateNetwork,
  ],
  'google-vehicle-feed': [
    address('The file with all cars, as XML or text, also packed as .gz.', 'https://dealer.example/google.xml'),
    {
      name: 'stores',
      path: 'stores',
      label: 'Where the stores are',
      control: 'json',
      hint: 'For each store code of the feed a city and state, or a ZIP code; “*” is every other store.',
      placeholder: '{ "AUSTIN-01": "Austin, TX", "*": "75201" }',
    },
    ...header,
    every(900),
    privateNetwork,
  ],
  'json-feed': jsonFeedFields,
  'marketplace-items': [
    address('A list of items as JSON, read in pages by offset and limit.', 'https://feeds.example/items'),
    ...header,
    {
      name: 'order',
      path: 'order',
      label: 'Where new items appear',
      control: 'choice',
      choices: [
        { value: 'newest-first', label: 'At the top: the newest comes first' },
        { value: 'any', label: 'Anywhere: every page is read each time' },
        { value: 'append', label: 'At the end: items are added' },
      ],
      initial: 'newest-first',
      further: true,
    },
    {
      name: 'pageSize',
      path: 'pageSize',
      label: 'Items on a page',
      control: 'number',
      min: 1,
      max: 1000,
      initial: '100',
      further: true,
    },
    every(60),
    privateNetwork,
  ],
} as const satisfies Record<string, readonly SourceField[]>;

/** A kind of source that can be made in the browser. */
export type FormKind = keyof typeof sourceFields;

export const isFormKind = (kind: string): kind is FormKind => Object.hasOwn(sourceFields, kind);

/** The fields of a kind. */
export const fieldsOfKind = (kind: FormKind): readonly SourceField[] => sourceFields[kind];
