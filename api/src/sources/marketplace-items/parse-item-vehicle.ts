import type { RejectCode } from '../../domain/facts/listing-facts.ts';
import { readTitle } from '../../domain/titles/vehicle-title.ts';
import { type Fields, numberOf, textOf } from './parse-item-fields.ts';

/** Facebook's category of whole vehicles. */
const VEHICLES_CATEGORY = '807311116002614';
/** Facebook's category of parts and accessories. */
const PARTS_CATEGORY = '757715671026531';
/** Below this, what names a car without year or mileage is something for it. */
const LEAST_FOR_A_CAR = 300;
const FIRST_YEAR = 1900;

export interface ItemVehicle {
  make: string;
  model: string | null;
  year: number | null;
  /** What the attributes say, for an item without a title. */
  title: string;
}

interface Evidence {
  price: number | null;
  mileageMiles: number | null;
  now: Date;
}

type Refusal = { code: RejectCode; reason: string };

const notACar = (reason: string): Refusal => ({ code: 'NOT_A_CAR', reason });

/** The car that an item offers, by title, attributes, category and price together, or why it is none. */
export function parseItemVehicle(fields: Fields, title: string, evidence: Evidence): ItemVehicle | Refusal {
  const { now } = evidence;
  const category = textOf(fields, 'marketplacelistingcategoryid', 'categoryid');
  const make = textOf(fields, 'vehiclemakedisplayname', 'make', 'brand', 'manufacturer');
  const model = textOf(fields, 'vehiclemodeldisplayname', 'model');
  const year = numberOf(fields, 'vehicleyear', 'year', 'modelyear', 'vehiclemodeldate', 'modeldate');
  const attributes = [year, make, model].filter((part) => part !== null).join(' ');
  if (title === '' && make === null) return notACar('The item has no title.');
  if (year !== null && (year < FIRST_YEAR || year > now.getUTCFullYear() + 1)) {
    return { code: 'BAD_YEAR', reason: `${year} is no model year.` };
  }

  const said = readTitle(title, now);
  const stated = make ? readTitle(attributes, now) : null;
  if (category === PARTS_CATEGORY) return notACar('It is offered as a part.');
  if (said.notACar) return notACar('The title offers no whole car.');
  const found = said.make ? said : stated?.make ? stated : null;
  if (!found?.make) {
    const vehicle = said.otherMake || (make !== null && !stated?.notACar) || category === VEHICLES_CATEGORY;
    return vehicle
      ? { code: 'UNKNOWN_MAKE', reason: 'The make is not in the catalogue.' }
      : notACar('The title names no car.');
  }
  const statedYear = said.year ?? year;
  const sure =
    statedYear !== null || evidence.mileageMiles !== null || category === VEHICLES_CATEGORY || stated !== null;
  if (!sure && evidence.price !== null && evidence.price < LEAST_FOR_A_CAR)
    return notACar('It is too cheap to be the car it names.');
  const other = stated?.make === found.make ? stated.model : null;
  return { make: found.make, model: found.model ?? other, year: statedYear, title: attributes };
}
