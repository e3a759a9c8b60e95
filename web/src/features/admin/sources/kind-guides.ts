import type { FormKind } from '@lotwatch/api/forms/sources/source-fields';
import { sourcePresets } from '@lotwatch/api/forms/sources/source-presets';
import {
  Boxes,
  Braces,
  Building2,
  Code,
  Database,
  Globe,
  List,
  type LucideIcon,
  Send,
  Tag,
  Warehouse,
} from 'lucide-react';

interface AnyGuide {
  /** In the page's address; that of a kind's own guide is the kind. */
  id: string;
  Icon: LucideIcon;
  /** What somebody has. */
  title: string;
  /** What LotWatch does with it. */
  text: string;
}

export interface FormGuide extends AnyGuide {
  kind: FormKind;
  /** What to do until the form can be filled in. */
  steps: readonly string[];
  /** Where more is said. */
  link: { text: string; href: string };
  /** A name that suggests itself. */
  name: string;
  /** What the form starts with. */
  values?: Readonly<Record<string, string>>;
}

/** A way to get listings, as somebody recognizes it who has them. */
export type KindGuide = FormGuide | (AnyGuide & { kind: 'push' });

/** The ways to get listings, the likeliest first. */
export const kindGuides: readonly KindGuide[] = [
  {
    id: 'ebay',
    kind: 'ebay',
    Icon: Tag,
    title: 'eBay Motors',
    text: 'Cars and trucks on eBay, the newest first, by keys of your own that eBay gives free of charge.',
    steps: [
      'Register at developer.ebay.com, which eBay confirms within a day, and create an application keyset for Production.',
      'eBay asks how you handle deleted accounts of its users: LotWatch stores none, so apply for the exemption.',
      'On the page Application Keys, copy the App ID and the Cert ID of Production.',
    ],
    link: { text: 'eBay’s page with your keys', href: 'https://developer.ebay.com/my/keys' },
    name: 'ebay',
  },
  {
    id: 'vehicle-feed',
    kind: 'vehicle-feed',
    Icon: Warehouse,
    title: 'A feed from my dealer system',
    text: 'One file with all cars of a lot, as dealer systems export it for Meta: CSV, TSV or XML.',
    steps: [
      'In your dealer system, look for the export to Facebook or Meta, often called “vehicle catalogue” or “inventory feed”.',
      'Copy the address of the file. If it asks for a token, copy that too.',
    ],
    link: { text: 'How Meta describes the file', href: 'https://www.facebook.com/business/help/1898524300466211' },
    name: 'my-lot',
  },
  {
    id: 'vehicle-pages',
    kind: 'vehicle-pages',
    Icon: Globe,
    title: 'A dealership’s web site',
    text: 'The pages of the cars, read by the schema.org markup that most dealers’ sites have for search engines.',
    steps: [
      'Unless the site is yours, ask the dealer whether you may read it. LotWatch obeys robots.txt, and asks for one page a second at most.',
      'Each request says who asks: PUBLIC_URL and SUPPORT_EMAIL, as they are set on this server. Have them set, so that the dealer can reach you.',
      'Paste the address of one car into validator.schema.org. It must show a Car or Vehicle with an Offer; without one, ask for a feed.',
    ],
    link: { text: 'Check a page at validator.schema.org', href: 'https://validator.schema.org' },
    name: 'dealer-site',
  },
  {
    id: 'google-vehicle-feed',
    kind: 'google-vehicle-feed',
    Icon: Building2,
    title: 'A feed for Google’s vehicle ads',
    text: 'One file with all cars of one or several lots, as it is sent to Google’s Merchant Center.',
    steps: [
      'In Merchant Center, open the data source of the vehicle ads, and copy the address of its file.',
      'Note the store codes of your lots: the file names a lot only by its code, so say below where each of them is.',
    ],
    link: { text: 'Google’s help on vehicle ads', href: 'https://support.google.com/merchants/answer/11192663' },
    name: 'my-lots',
  },
  {
    ...sourcePresets['json-feed-marketcheck'],
    id: 'marketcheck',
    Icon: Database,
    title: 'A key of MarketCheck',
    text: 'Dealers’ cars all over the US, refreshed each day. The mapping of its fields is filled in for you.',
    steps: [
      'Sign in at MarketCheck, and copy your API key into “Value of the parameter”.',
      'In the address, replace 78701 and 50 by your ZIP code and the miles around it.',
      'Each page is a call: 30 pages every 12 hours are 1,800 calls a month.',
    ],
    link: {
      text: 'MarketCheck’s page on this search',
      href: 'https://docs.marketcheck.com/docs/api/cars/inventory/inventory-search',
    },
  },
  {
    ...sourcePresets['json-feed-auto-dev'],
    id: 'auto-dev',
    Icon: List,
    title: 'A key of Auto.dev',
    text: 'Dealers’ cars all over the US, the newest first. The mapping of its fields is filled in for you.',
    steps: [
      'Sign in at Auto.dev, and copy your API key. “Value of the header” is “Bearer ” followed by the key.',
      'In the address, replace 78701 and 50 by your ZIP code and the miles around it.',
    ],
    link: { text: 'Auto.dev’s page on listings', href: 'https://docs.auto.dev/v2/products/vehicle-listings' },
  },
  {
    ...sourcePresets.apify,
    id: 'apify',
    Icon: Boxes,
    title: 'A dataset of a scraping service',
    text: 'What an Apify actor of your own account has found, read from its dataset.',
    steps: [
      'In the Apify console, open Storage and your dataset. Put its ID in the place of YOUR-DATASET in the address.',
      'Under Settings, API & Integrations, copy a token. “Value of the header” is “Bearer ” followed by the token.',
    ],
    link: { text: 'Apify’s page on dataset items', href: 'https://docs.apify.com/api/v2/dataset-items-get' },
  },
  {
    id: 'json-feed',
    kind: 'json-feed',
    Icon: Braces,
    title: 'Another API that answers JSON',
    text: 'Any API: you say where its list is, and which of its fields is which.',
    steps: [
      'Have an answer of the API beside you.',
      'A path is the names with dots between them: car.brand for { "car": { "brand": "Ford" } }, and photos[*].url for all of a list.',
    ],
    link: { text: 'Such paths in RFC 9535', href: 'https://www.rfc-editor.org/rfc/rfc9535' },
    name: 'my-api',
  },
  {
    id: 'marketplace-items',
    kind: 'marketplace-items',
    Icon: Code,
    title: 'A list of marketplace items',
    text: 'Offers as JSON in the shape of Facebook Marketplace or schema.org, in pages by offset and limit.',
    steps: ['The address must answer a JSON array, or one item a line, and take offset and limit.'],
    link: { text: 'The vehicle of schema.org', href: 'https://schema.org/Vehicle' },
    name: 'partner',
  },
  {
    id: 'push',
    kind: 'push',
    Icon: Send,
    title: 'My own program',
    text: 'Your program, or one of three that are ready, pushes listings to LotWatch with a token.',
  },
];

/** @param id a guide's, or a kind's for its own guide */
export const guideOf = (id: string): KindGuide | undefined => kindGuides.find((guide) => guide.id === id);

/** A guide whose kind has a form, which all but a push have. */
export const isFormGuide = (guide: KindGuide | undefined): guide is FormGuide =>
  guide !== undefined && guide.kind !== 'push';
