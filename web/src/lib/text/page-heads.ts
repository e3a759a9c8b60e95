interface PageHead {
  /** The document's title; ' · LotWatch' comes after it. */
  title: string;
  /** The description in search results. */
  description: string;
}

/** What a chat shows of an address that its owner passes on. Crawlers must not index these pages. */
export const unlistedHeads: Readonly<Record<string, PageHead>> = {
  '/shared/:token': {
    title: 'Cars shared with you',
    description: 'Somebody who looks for a used car wants to show you these. You need no account to see them.',
  },
};

/** Titles and descriptions of the public pages for crawlers and shared links. The server writes them into its pages. */
export const pageHeads: Readonly<Record<string, PageHead>> = {
  '/': {
    title: "Find your dream car the minute it's listed",
    description:
      'Say which used car you want: make, model, years, price and place. LotWatch reads every new listing and notifies you within seconds. Free for one alert.',
  },
  '/auth': {
    title: 'Sign in',
    description:
      'Sign in to LotWatch or create an account: one alert is free, no credit card is required, and matches arrive live and by mail.',
  },
  '/privacy': {
    title: 'Privacy Policy',
    description: 'What LotWatch stores about you, why, for how long, and how you can see, download or delete it.',
  },
  '/privacy-policy': {
    title: 'Cookies and Stored Data',
    description:
      'Everything that LotWatch stores in your browser and on its server: why, for how long, and how to change your choice.',
  },
  '/terms': {
    title: 'Terms of Service',
    description:
      'The rules of LotWatch in plain language: alerts, plans and payments, and what we do and do not guarantee.',
  },
  '/contact': {
    title: 'Contact Us',
    description: 'Write to the team behind LotWatch. We read every message, Monday to Friday, 9am to 5pm EST.',
  },
  '/status': {
    title: 'Status',
    description:
      'Whether LotWatch works right now: how far it is behind each source of listings, and how fast mails and text messages leave.',
  },
  '/playground': {
    title: 'Playground',
    description:
      "Try LotWatch's GraphQL API in the browser: queries, mutations and live matches, with examples to start from and every field explained.",
  },
  '/contact-us': {
    title: 'Contact Sales',
    description:
      'More than 100 alerts, an API or a dealership to run: tell us what you need and we answer in a working day.',
  },
};
