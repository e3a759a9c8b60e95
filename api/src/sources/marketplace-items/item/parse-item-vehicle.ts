import { type CarForSale, classifyAdvert, type Refusal } from '../../../domain/adverts/car-for-sale.ts';
import { milesOf, readMileage, readOdometer } from '../../../domain/facts/facts-from-text.ts';
import { type Fields, fieldsOf, nestedFieldsOf, textOf, textsOf } from '../../record/record-fields.ts';

const categoryNames = [
  'marketplacelistingcategoryid',
  'categoryid',
  'category',
  'categories',
  'categoryname',
  'marketplacelistingcategory',
  'listingcategory',
  'productcategory',
  'googleproductcategory',
  'producttype',
  'vehicletype',
  '@type',
  'additionaltype',
  'bodystyle',
  'bodytype',
  'vehiclebodystyle',
];

/** The model year that attributes state; 0 and words are none, a date gives its year. */
function statedYear(fields: Fields): number | null {
  const text = textOf(fields, 'vehicleyear', 'year', 'modelyear', 'vehiclemodeldate', 'modeldate') ?? '';
  const [, year] = /^(-?\d+)(?:\.\d+)?$/.exec(text) ?? /^(\d{4})-\d\d(?:-\d\d|$)/.exec(text) ?? [];
  return year === undefined || Number(year) === 0 ? null : Number(year);
}

/** The mileage in miles, by the odometer, else by a line under the title such as `105K miles`. */
export function parseItemMileage(fields: Fields): number | null {
  const names = ['vehicleodometerdata', 'mileagefromodometer', 'vehiclemileage', 'mileage', 'odometer', 'miles'];
  for (const name of names) {
    const text = textOf(fields, name);
    const own = nestedFieldsOf(fields, name);
    const unit = textOf(own, 'unit', 'unitcode', 'unittext') ?? textOf(fields, `${name}unit`, 'mileageunit');
    const miles = text === null ? null : readOdometer(unit === null ? text : text.replace(/\s?[a-z]{1,20}$/i, ''));
    if (miles !== null) return unit === null ? miles : milesOf(miles, unit);
  }
  const kilometres = textOf(fields, 'kilometers', 'kilometres', 'mileagekm', 'kms');
  const miles = kilometres === null ? null : readOdometer(kilometres.replace(/\s?km\w{0,20}$/i, ''));
  if (miles !== null) return milesOf(miles, 'km');
  for (const text of itemSubtitles(fields)) {
    const written = readMileage(text);
    if (written !== null) return written;
  }
  return null;
}

const MAX_SUBTITLES = 10;

/** The lines under an item's title. */
export function itemSubtitles(fields: Fields): string[] {
  const lines = fields.get('customsubtitleswithrenderingflags') ?? fields.get('subtitles') ?? fields.get('subtitle');
  if (!Array.isArray(lines)) return textsOf(fields, 'subtitle');
  return lines
    .slice(0, MAX_SUBTITLES)
    .flatMap((line) => (typeof line === 'string' ? line : (textOf(fieldsOf(line), 'subtitle', 'text') ?? [])));
}

/** Whether the item states a payment period or a business function of rent or lease. */
function isForRent(fields: Fields): boolean {
  const business =
    textOf(fields, 'businessfunction') ?? textOf(nestedFieldsOf(fields, 'offers'), 'businessfunction') ?? '';
  return (
    /month|week|day|night|hour|year/i.test(textOf(fields, 'paymenttimeperiod') ?? '') || /lease|rent/i.test(business)
  );
}

/** The car that an item offers, by all of its fields, or the reason why it is none. */
export function parseItemVehicle(
  fields: Fields,
  title: string,
  { price, mileageMiles, now }: { price: number | null; mileageMiles: number | null; now: Date },
): CarForSale | Refusal {
  const make = textOf(fields, 'vehiclemakedisplayname', 'vehiclemake', 'make');
  return classifyAdvert(
    {
      title,
      make: make ?? textOf(fields, 'brand', 'manufacturer'),
      makeIsVehicles: make !== null,
      model: textOf(fields, 'vehiclemodeldisplayname', 'vehiclemodel', 'model'),
      year: statedYear(fields),
      categories: [...textsOf(fields, ...categoryNames), ...(isForRent(fields) ? ['rental'] : [])],
      price,
      mileageMiles,
    },
    now,
  );
}
