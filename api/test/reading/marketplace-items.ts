import { gazetteer } from '../../lab/gazetteer.ts';
import type { ListingFacts, Rejection } from '../../src/domain/facts/listing-facts.ts';
import { parseMarketplaceItem } from '../../src/sources/marketplace-items/item/parse-marketplace-item.ts';

export { gazetteer };
export const now = new Date('2026-06-01T12:00:00Z');
export const parse = (raw: unknown) => parseMarketplaceItem(raw, { gazetteer, now });

export function factsOf(raw: unknown): ListingFacts {
  const record = parse(raw);
  if ('rejection' in record) throw new Error(`${record.rejection.code}: ${record.rejection.reason}`);
  return record.facts;
}

export function rejectionOf(raw: unknown): Rejection {
  const record = parse(raw);
  if ('facts' in record) throw new Error(`accepted as ${record.facts.make}`);
  return record.rejection;
}

/** An item of a marketplace's search page. */
export const node = {
  __typename: 'GroupCommerceProductItem',
  id: '512000000000001',
  marketplace_listing_title: '2014 Subaru Outback · 2.5i Wagon 4D',
  custom_sub_titles_with_rendering_flags: [{ subtitle: '120K miles' }],
  listing_price: { amount_with_offset_in_currency: '890000' },
  formatted_price: { text: '$8,900' },
  location: { reverse_geocode: { city: 'Boulder', state: 'CO', city_page: { display_name: 'Boulder, Colorado' } } },
  is_live: true,
  is_sold: false,
  is_pending: false,
  is_hidden: false,
  marketplace_listing_category_id: '807311116002614',
  primary_listing_photo: { image: { uri: 'https://photos.example/1.jpg' } },
};

/** The page of one listing. */
export const page = {
  id: '512000000000002',
  marketplace_listing_title: '2017 Ford Escape · SE Sport Utility 4D',
  creation_time: 1780000000,
  location_text: { text: 'Dayton, OH' },
  listing_price: { amount_with_offset: '1150000', currency: 'USD', amount: '11500.00' },
  condition: 'USED',
  vehicle_exterior_color: 'maroon',
  vehicle_odometer_data: { unit: 'KILOMETERS', value: 100000 },
  vehicle_transmission_type: 'AUTOMATIC',
  location: {
    latitude: 39.75,
    longitude: -84.19,
    reverse_geocode_detailed: { country_alpha_two: 'US', postal_code_trimmed: '45402' },
  },
  listing_photos: [
    { image: { uri: 'https://photos.example/a.jpg' } },
    { image: { uri: 'https://photos.example/b.jpg' } },
  ],
};

export const camelCase = {
  id: '1833000000000009',
  itemUrl: 'https://market.example/item/9',
  listingTitle: '2011 Toyota Sienna · LE Minivan 4D',
  locationText: { text: 'Tulsa, OK' },
  location: { latitude: 36.15, longitude: -95.99 },
  listingPrice: { amount_with_offset_in_currency: '720000', amount: '7200.00', currency: 'USD' },
  strikethroughPrice: { amount: '7900.00' },
  listingPhotos: [{ image: { uri: 'https://photos.example/s.jpg' } }],
  primaryListingPhoto: { photo_image_url: 'https://photos.example/thumb.jpg' },
  customSubTitlesWithRenderingFlags: [{ subtitle: '98K miles' }],
  isSold: false,
  timestamp: '2026-05-30T15:07:19.000Z',
};

export const nested = {
  id: '512000000000004',
  listing_price: { formatted_amount: '$6,100' },
  location: { reverse_geocode: { city: 'Fresno', state: 'CA' } },
  marketplace_listing_title: '2012 Mazda 3 Sedan',
  is_sold: false,
  listing_details: {
    vehicle_exterior_color: 'silver',
    vehicle_transmission_type: 'MANUAL',
    vehicle_odometer_data: { unit: 'MILES', value: 88000 },
    location: { latitude: 36.7, longitude: -119.8 },
  },
};

export const flat = {
  product_id: '42',
  url: 'https://market.example/42',
  title: 'BMW 320d',
  final_price: 2500,
  location: 'Liege',
};
