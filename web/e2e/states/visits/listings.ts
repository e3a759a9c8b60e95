import { drawPhoto } from '../../../../api/demo/photo.ts';

type Body = Parameters<typeof drawPhoto>[0]['body'];

const MINUTE_S = 60;
const HOUR_S = 3600;

interface Car {
  id: string;
  title: string;
  /** Null if the seller states none. */
  price: number | null;
  mileage?: number;
  automatic?: boolean;
  condition?: string;
  /** Whether the seller names the photos' colour. */
  namesColor?: boolean;
  city: readonly [string, string] | null;
  /** The number of photos, and their subjects. */
  photos: readonly [count: number, body: Body, color: string, variation: number];
  ageSeconds: number;
  isSold?: boolean;
}

/** Models in places where the demo never lists them, so that the matches are always the same. Newest last. */
const cars: readonly Car[] = [
  {
    id: 'bronco-nowhere',
    title: '1994 Ford Bronco XLT 4x4, runs great!! 5.8L V8 *no lowballs* call or text Bill',
    price: 13_750,
    namesColor: true,
    city: null,
    photos: [0, 'suv', 'white', 0],
    ageSeconds: 2 * HOUR_S + 60,
  },
  {
    id: 'supra-sold',
    title: '2020 Toyota Supra · 3.0 Premium Coupe 2D',
    price: 43_900,
    mileage: 41_000,
    automatic: true,
    condition: 'GOOD',
    namesColor: true,
    city: ['Longmont', 'CO'],
    photos: [3, 'coupe', 'black', 1],
    ageSeconds: 20 * HOUR_S,
    isSold: true,
  },
  {
    id: 'supra-old',
    title: '2019 toyota supra, clean title, second owner, new tires',
    price: 36_500,
    mileage: 62_000,
    city: ['Colorado Springs', 'CO'],
    photos: [1, 'coupe', 'yellow', 2],
    ageSeconds: 30 * HOUR_S,
  },
  {
    id: 'supra-bare',
    title: '2021 Toyota Supra',
    price: 41_000,
    city: ['Aurora', 'CO'],
    photos: [1, 'coupe', 'silver', 0],
    ageSeconds: 5 * HOUR_S + 60,
  },
  {
    id: 'supra-boulder',
    title: '2022 Toyota Supra · A91-CF Edition Coupe 2D',
    price: 55_250,
    mileage: 9_800,
    automatic: false,
    condition: 'EXCELLENT',
    namesColor: true,
    city: ['Boulder', 'CO'],
    photos: [5, 'coupe', 'blue', 3],
    ageSeconds: HOUR_S + 10 * MINUTE_S,
  },
  {
    id: 'supra-denver',
    title: '2020 Toyota Supra · Launch Edition Coupe 2D',
    price: 47_500,
    mileage: 18_200,
    automatic: true,
    condition: 'VERY_GOOD',
    namesColor: true,
    city: ['Denver', 'CO'],
    photos: [4, 'coupe', 'red', 0],
    ageSeconds: 4 * MINUTE_S,
  },
];

/** Records of a source that can't be read, for the quarantine. */
const refused = [
  { id: 'lot-1', title: '1988 Yugo GV', listing_price: { amount: '900.00' } },
  { id: 'lot-2', title: 'ExpectedText: cheap truck, any make', listing_price: { amount: '1.00' } },
  { title: '2014 Honda Civic', listing_price: { amount: '8500.00' } },
];

function itemOf(car: Car, url: string): Record<string, unknown> {
  const [count, body, color, variation] = car.photos;
  return {
    id: car.id,
    marketplace_listing_title: car.title,
    ...(car.price === null ? {} : { listing_price: { amount: `${car.price}.00`, currency: 'USD' } }),
    location: car.city
      ? { reverse_geocode: { city: car.city[0], state: car.city[1] } }
      : { latitude: 45.52, longitude: -122.68 },
    vehicle_condition: car.condition ?? null,
    vehicle_exterior_color: car.namesColor ? color : null,
    vehicle_transmission_type: car.automatic === undefined ? null : car.automatic ? 'AUTOMATIC' : 'MANUAL',
    vehicle_odometer_data: car.mileage === undefined ? null : { unit: 'MILES', value: car.mileage },
    listing_photos: Array.from({ length: count }, (_, n) => ({
      image: { uri: `${url}/drawn-photos/${body}-${color}-${variation}-${n}.svg` },
    })),
    creation_time: Math.floor(Date.now() / 1000) - car.ageSeconds,
    is_live: true,
    ...(car.isSold ? { is_sold: true } : {}),
  };
}

/** The listings of the fixtures as marketplace items; sold ones are listed for sale first, and again as sold. */
export const itemsFor = (url: string) => ({
  forSale: cars.map((car) => itemOf({ ...car, isSold: false }, url)),
  sold: cars.filter((car) => car.isSold).map((car) => itemOf(car, url)),
  refused,
});

/** The addresses that `drawnPhoto()` answers. */
export const DRAWN_PHOTOS = '**/drawn-photos/*.svg';

/** Draws the photo for an address of `itemsFor()`. */
export function drawnPhoto(address: string): string {
  const [body = 'sedan', color = '', variation = '0', n = '0'] = (address.split('/').at(-1) ?? '').split(/[-.]/);
  return drawPhoto({ body: body as Body, color }, Number(variation), Number(n));
}
