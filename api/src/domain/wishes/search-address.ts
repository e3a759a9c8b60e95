import { milesOf } from '../facts/facts-from-text.ts';
import type { Gazetteer } from '../places/places.ts';
import { radiusFor } from './numbers.ts';
import type { Refusal, Wish, WishFields } from './wish-fields.ts';

/** What an address says, and the text around it. */
interface ReadAddress {
  wishes: Wish[];
  rest: string;
}

const SITES = ['facebook.com/', 'craigslist.org/'];
/** Whether a word of a text is an address. */
const isAddress = (word: string): boolean =>
  /^(?:https?:\/\/|www\.)/i.test(word) || SITES.some((site) => word.toLowerCase().includes(site));
const MAX_TEXT = 500;
const MAX_PARAMS = 40;

const integer = (value: string, min: number, max: number) => {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
};

type Reader = (value: string) => WishFields | undefined;

const whole =
  (field: keyof WishFields, min: number, max: number): Reader =>
  (value) => {
    const number = integer(value, min, max);
    return number === undefined ? undefined : { [field]: number };
  };
const oneOf =
  (values: Readonly<Record<string, WishFields>>): Reader =>
  (value) =>
    Object.hasOwn(values, value.toLowerCase()) ? values[value.toLowerCase()] : undefined;
const listed = (field: keyof WishFields, values: string): Record<string, WishFields> =>
  Object.fromEntries(
    values.split(' ').map((entry) => {
      const [code = '', value = code] = entry.split('=');
      return [code, { [field]: value }];
    }),
  );

const prices = (field: 'priceMin' | 'priceMax') => whole(field, 0, 10_000_000);
const years = (field: 'yearMin' | 'yearMax') => whole(field, 1900, 9999);
const miles = whole('mileageMax', 1, 2_000_000);

/** Facebook offers these radii; in the address they are kilometres where the site shows miles. */
const kilometreRadii = new Set([2, 3, 8, 16, 32, 64, 65, 97, 129, 161, 402, 805]);

function facebookRadius(value: string): WishFields | undefined {
  const number = integer(value, 1, 1000);
  if (number === undefined) return undefined;
  const distance = kilometreRadii.has(number) ? Math.floor(milesOf(number, 'km') ?? 0) : number;
  const radius = radiusFor(distance);
  return radius === null ? undefined : { radius };
}

const facebook: Record<string, Reader> = {
  minPrice: prices('priceMin'),
  maxPrice: prices('priceMax'),
  minYear: years('yearMin'),
  maxYear: years('yearMax'),
  maxMileage: miles,
  radius: facebookRadius,
  transmissionType: oneOf(listed('transmission', 'automatic manual')),
  carType: oneOf(listed('body', 'sedan suv truck coupe hatchback wagon van minivan=van convertible')),
  vehicleBodyTypes: oneOf(listed('body', 'sedan suv truck coupe hatchback wagon van minivan=van convertible')),
  vehicleExteriorColors: oneOf(
    listed('color', 'black white silver gray grey=gray blue red green yellow orange brown gold beige purple'),
  ),
};

const craigslist: Record<string, Reader> = {
  min_price: prices('priceMin'),
  max_price: prices('priceMax'),
  min_auto_year: years('yearMin'),
  max_auto_year: years('yearMax'),
  max_auto_miles: miles,
  search_distance: (value) => {
    const radius = radiusFor(integer(value, 1, 5000) ?? Number.NaN);
    return radius === null ? undefined : { radius };
  },
  postal: (value) => (/^\d{5}$/.test(value) ? { location: value } : undefined),
  hasPic: oneOf({ '1': { onlyWithImages: true } }),
  auto_transmission: oneOf(listed('transmission', '1=manual 2=automatic')),
  auto_title_status: oneOf(listed('titleStatus', '1=clean 2=salvage 3=rebuilt')),
  auto_fuel_type: oneOf(listed('fuel', '1=gas 2=diesel 3=hybrid 4=electric')),
  auto_drivetrain: oneOf(listed('drive', '1=fwd 2=rwd 3=4wd')),
  auto_bodytype: oneOf(
    listed('body', '2=convertible 3=coupe 4=hatchback 5=van 7=truck 8=sedan 9=truck 10=suv 11=wagon 12=van'),
  ),
  auto_paint: oneOf(
    listed('color', '1=black 2=blue 3=green 4=gray 5=orange 6=purple 7=red 8=silver 9=white 10=yellow 20=brown'),
  ),
};

/** Parameters that say how results are shown, and not which. */
const ignored = new Set(
  'sortBy exact topLevelVehicleType category_id locale ref referral_code deliveryMethod sort srchType bundleDuplicates searchNearby format postedToday'.split(
    ' ',
  ),
);
const queries = new Set(['query', 'auto_make_model']);

const wishOf = (fields: WishFields, text: string): Wish => ({
  fields,
  understood: [{ fields, text }],
  notUnderstood: [],
});
const refused = (text: string, reason: Refusal = 'unread'): Wish => ({
  fields: {},
  understood: [],
  notUnderstood: [{ text, reason }],
});

/** The city of a path or of a host's name, such as `lasvegas`; a region, such as `sfbay`, is none. */
function cityOf(name: string, gazetteer: Gazetteer): Wish | null {
  const place = /^[a-z-]{2,40}$/.test(name) ? gazetteer.named(name.split('-')) : null;
  if (place?.isRegion) return refused(name, 'region');
  return place && wishOf({ location: place.name }, name);
}

/** What reading the address of a search needs. */
interface Site {
  readQuery: (query: string) => Wish;
  gazetteer: Gazetteer;
  lastYear: number;
}

function params(url: URL, readers: Readonly<Record<string, Reader>>, { readQuery, lastYear }: Site): Wish[] {
  return [...url.searchParams].slice(0, MAX_PARAMS).flatMap(([name, value]) => {
    if (value === '' || ignored.has(name)) return [];
    if (queries.has(name)) return [readQuery(value)];
    const fields = Object.hasOwn(readers, name) ? readers[name]?.(value) : undefined;
    const isFuture = (fields?.yearMin ?? fields?.yearMax ?? 0) > lastYear;
    if (isFuture) return [refused(`${name}=${value}`)];
    return [fields ? wishOf(fields, `${name}=${value}`) : refused(`${name}=${value}`.slice(0, 60))];
  });
}

function facebookWishes(url: URL, site: Site): Wish[] | null {
  const [first, city = ''] = url.pathname.split('/').filter(Boolean);
  if (first !== 'marketplace' || city === 'item') return null;
  const wishes = params(url, facebook, site);
  if (['category', 'search', 'vehicles', 'np', ''].includes(city)) return wishes;
  return [...wishes, cityOf(city.toLowerCase(), site.gazetteer) ?? refused(city.slice(0, 60))];
}

function craigslistWishes(url: URL, site: Site): Wish[] | null {
  const [host = ''] = url.hostname.split('.');
  const path = url.pathname.split('/').filter(Boolean);
  if (path[0] !== 'search') return null;
  const category = path.at(-1);
  const wishes = params(url, craigslist, site);
  if (category === 'cto') wishes.push(refused('private sellers'));
  if (category === 'ctd') wishes.push(refused('dealers'));
  const hasPlace = wishes.some(({ fields }) => fields.location !== undefined);
  return hasPlace || host === 'www' ? wishes : [...wishes, cityOf(host, site.gazetteer) ?? refused(host)];
}

/**
 * Reads the address of a search at Facebook's marketplace or at Craigslist; null if the text has no address. Nothing is
 * fetched. @param readQuery reads the words that were searched for
 */
export function readAddress(
  text: string,
  readQuery: (query: string) => Wish,
  { gazetteer, now }: { gazetteer: Gazetteer; now: Date },
): ReadAddress | null {
  const site: Site = { readQuery, gazetteer, lastYear: now.getUTCFullYear() + 1 };
  const typed = text.slice(0, MAX_TEXT);
  const found = typed.split(/\s/).find(isAddress);
  if (found === undefined) return null;
  const rest = typed.replace(found, ' , ');
  const address = /^https?:/i.test(found) ? found : `https://${found}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const host = url?.hostname.toLowerCase() ?? '';
  const isAt = (site: string) => host === site || host.endsWith(`.${site}`);
  const wishes =
    url && isAt('facebook.com')
      ? facebookWishes(url, site)
      : url && isAt('craigslist.org')
        ? craigslistWishes(url, site)
        : null;
  return { wishes: wishes ?? [refused(found)], rest };
}
