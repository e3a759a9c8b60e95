import type { FormKind } from './source-fields.ts';

/** What the form of a known service starts with, beside what a new source of its kind has. Keys are the operator's own. */
export interface SourcePreset {
  kind: FormKind;
  name: string;
  values: Readonly<Record<string, string>>;
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** Services that are tried examples, by the name of their page in api/docs/examples/sources. */
export const sourcePresets = {
  apify: {
    kind: 'marketplace-items',
    name: 'apify',
    values: {
      url: 'https://api.apify.com/v2/datasets/YOUR-DATASET/items?format=json&clean=true&desc=true',
      headerName: 'Authorization',
      pageSize: '1000',
      everySeconds: '300',
      order: 'newest-first',
    },
  },
  'json-feed-marketcheck': {
    kind: 'json-feed',
    name: 'marketcheck',
    values: {
      url: 'https://api.marketcheck.com/v2/search/car/active?car_type=used&zip=78701&radius=50&append_api_key=false',
      queryName: 'api_key',
      everySeconds: '43200',
      order: 'whole',
      paging: pretty({ by: 'offset', offset: 'start', limit: 'rows', size: 50 }),
      maxPages: '30',
      items: 'listings',
      total: 'num_found',
      fields: pretty({
        id: 'id',
        title: 'heading',
        vin: 'vin',
        year: 'build.year',
        make: 'build.make',
        model: 'build.model',
        trim: 'build.trim',
        price: 'price',
        mileage: 'miles',
        body: 'build.body_type',
        drive: 'build.drivetrain',
        fuel: 'build.fuel_type',
        transmission: 'build.transmission',
        color: 'exterior_color',
        condition: 'inventory_type',
        seller: 'seller_type',
        dealer: 'dealer.name',
        city: 'dealer.city',
        state: 'dealer.state',
        postalCode: 'dealer.zip',
        latitude: 'dealer.latitude',
        longitude: 'dealer.longitude',
        images: 'media.photo_links',
        url: 'vdp_url',
        listedAt: 'first_seen_at',
      }),
      constants: pretty({ currency: 'USD' }),
    },
  },
  'json-feed-auto-dev': {
    kind: 'json-feed',
    name: 'auto-dev',
    values: {
      url: 'https://api.auto.dev/listings?zip=78701&distance=50&sort=createdAt.desc',
      headerName: 'Authorization',
      everySeconds: '3600',
      order: 'newest-first',
      paging: pretty({ by: 'cursor', next: 'links.next', limit: 'limit', size: 100 }),
      items: 'data',
      fields: pretty({
        id: 'vin',
        vin: 'vin',
        year: 'vehicle.year',
        make: 'vehicle.make',
        model: 'vehicle.model',
        trim: 'vehicle.trim',
        body: 'vehicle.bodyStyle',
        drive: 'vehicle.drivetrain',
        fuel: ['vehicle.fuel', 'vehicle.engine'],
        transmission: 'vehicle.transmission',
        color: 'vehicle.exteriorColor',
        price: 'retailListing.price',
        mileage: 'retailListing.miles',
        dealer: 'retailListing.dealer',
        location: 'location',
        city: 'retailListing.city',
        state: 'retailListing.state',
        postalCode: 'retailListing.zip',
        images: 'retailListing.primaryImage',
        url: 'retailListing.vdp',
        listedAt: 'createdAt',
      }),
      constants: pretty({ currency: 'USD', seller: 'dealer' }),
    },
  },
} as const satisfies Record<string, SourcePreset>;
