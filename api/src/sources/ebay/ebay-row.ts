import { plainDescription } from '../../domain/descriptions/plain-description.ts';
import { storableText } from '../../domain/facts/listing-facts.ts';
import { isElement, linesIn, parseHtml } from '../record/parse-html.ts';
import { isRecord } from '../record/record-fields.ts';
import type { FeedRow } from '../vehicle-feed/feed-row.ts';

type Fields = Record<string, unknown>;

const fieldsIn = (value: unknown): Fields => (isRecord(value) ? value : {});
const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** What is stored of an item's details, and fills the gaps of its later summaries. */
export interface ItemDetails {
  /** The item ended before its details were read. */
  ended?: boolean;
  /** They could not be read; what stands beside it was read earlier. */
  failed?: true;
  /** Values by the aspect's name in lower case. */
  aspects?: Record<string, string>;
  images?: string[];
  location?: Fields;
  description?: string | null;
}

const MAX_ASPECTS = 100;
const MAX_IMAGES = 20;
const MAX_TEXT = 500;
const MAX_HTML = 128 * 1024;

/** A summary has its first photo also in full size, under thumbnailImages. */
const photosOf = (item: Fields): string[] =>
  [listIn(item.thumbnailImages)[0] ?? item.image, ...listIn(item.additionalImages)]
    .flatMap((image) => textOf(fieldsIn(image).imageUrl) ?? [])
    .map(storableText)
    .filter((url, index, all) => url.length <= 2000 && all.indexOf(url) === index)
    .slice(0, MAX_IMAGES);

/** A seller's HTML, without its scripts and styles. */
function describedIn(html: string): string | null {
  const [page] = parseHtml(`<div>${html.slice(0, MAX_HTML)}</div>`).nodes;
  return plainDescription(page && isElement(page) ? linesIn(page, MAX_HTML) : null);
}

/** The beginning of a text, as it can be stored: a cut may part a pair of surrogates. */
const start = (text: string, length: number): string => storableText(text.slice(0, length));

/** Reads what `getItem` answered. All texts can be stored. */
export function itemDetails(item: unknown): ItemDetails {
  const fields = fieldsIn(item);
  const aspects = listIn(fields.localizedAspects)
    .slice(0, MAX_ASPECTS)
    .flatMap(({ name, value }): [string, string][] =>
      typeof name === 'string' && typeof value === 'string'
        ? [[start(name.trim().toLowerCase(), 100), start(value, MAX_TEXT)]]
        : [],
    );
  const description = describedIn(textOf(fields.description) ?? textOf(fields.shortDescription) ?? '');
  const place = fieldsIn(fields.itemLocation);
  const placed = ['city', 'stateOrProvince', 'postalCode', 'country'].flatMap((name): [string, string][] => {
    const text = textOf(place[name]);
    return text === null ? [] : [[name, start(text, MAX_TEXT)]];
  });
  return {
    aspects: Object.fromEntries(aspects),
    images: photosOf(fields),
    location: Object.fromEntries(placed),
    description: description && storableText(description),
  };
}

/** The price in which the item can be bought; what is bid for it so far is none. */
function priceOf(item: Fields): Fields {
  const options = Array.isArray(item.buyingOptions) ? item.buyingOptions : [];
  const isFixed = options.some((option) => option === 'FIXED_PRICE' || option === 'CLASSIFIED_AD');
  const { value, currency } = fieldsIn(item.price);
  return isFixed ? { price: value, currency } : {};
}

/** eBay masks the last two digits of a ZIP: such a code names no place. */
const postalCode = (value: unknown): string | null => {
  const text = textOf(value);
  return text !== null && /^\d{5}(-\d{4})?$/.test(text) ? text : null;
};

/** The item's page without the query, which differs from answer to answer. */
function pageOf(item: Fields): string | null {
  const url = URL.parse(textOf(item.itemWebUrl) ?? '');
  return url ? `${url.origin}${url.pathname}` : null;
}

/** An item as a row of a vehicle feed, from its summary and, where they were read, its details. */
export function ebayRow(item: Fields, details: ItemDetails | null): FeedRow {
  const aspect = (name: string) => details?.aspects?.[name] ?? null;
  const summary = fieldsIn(item.itemLocation);
  const location = {
    ...summary,
    ...Object.fromEntries(Object.entries(details?.location ?? {}).filter(([, one]) => one)),
  };
  const images = details?.images?.length ? details.images : photosOf(item);
  return {
    vehicle_id: item.itemId,
    title: item.title,
    make: aspect('make'),
    model: aspect('model'),
    trim: aspect('trim'),
    year: aspect('year') ?? aspect('model year'),
    'mileage.value': aspect('mileage'),
    vin: aspect('vin (vehicle identification number)') ?? aspect('vin'),
    body_style: aspect('body type'),
    drivetrain: aspect('drive type'),
    fuel_type: aspect('fuel type'),
    exterior_color: aspect('exterior color'),
    transmission: aspect('transmission'),
    title_status: aspect('vehicle title'),
    seller_type: aspect('for sale by'),
    condition: item.condition,
    ...priceOf(item),
    'address.city': location.city,
    'address.region': location.stateOrProvince,
    'address.postal_code': postalCode(location.postalCode),
    'address.country': location.country,
    image: images,
    url: pageOf(item),
    description: details?.description ?? textOf(item.shortDescription),
    date_first_on_lot: item.itemCreationDate ?? item.itemOriginDate,
  };
}
