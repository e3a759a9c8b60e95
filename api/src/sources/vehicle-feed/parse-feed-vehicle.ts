import { modelsOf } from '../../domain/catalogue.ts';
import type { RejectCode } from '../../domain/facts/listing-facts.ts';
import { nameKey } from '../../domain/titles/title-words.ts';
import { readTitle, type TitleReading } from '../../domain/titles/vehicle-title.ts';
import type { FeedRow } from './feed-row.ts';

interface FeedVehicle {
  make: string;
  model: string | null;
  year: number | null;
  /** What the columns say, for a row without a title. */
  name: string;
}

type Refusal = { code: RejectCode; reason: string };

const FIRST_YEAR = 1900;
const unstated = /^(n\/?a|none|null|unknown|other|unspecified|-+|\.)$/i;
/** Kinds of vehicle that are none of ours; `commercial` and `other` may be. */
const otherKinds =
  /boat|vessel|watercraft|jet.?ski|motor.?(cycle|bike)|scooter|moped|bicycle|power.?sport|\batv\b|\butv\b|side.by.side|snowmobile|\brvs?\b|rv_|camper|motor.?home|fifth.wheel|aircraft|airplane|golf|\bparts?\b|accessor|\btires?\b/i;
/** A heavy duty truck is one, though heavy equipment is none. */
const heavyKinds = /trailer|tractor|heavy|equipment/i;
const carKinds = /\bcars?\b|truck|suv|\bvan\b/i;
const isOtherKind = (kind: string) => otherKinds.test(kind) || (heavyKinds.test(kind) && !carKinds.test(kind));

const cellOf = (row: FeedRow, name: string): string => {
  const value = [row[name]].flat()[0];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 200) : '';
  return unstated.test(text) ? '' : text;
};

/** The year's column: a fault where it holds anything but a model year, null where it is blank. */
function yearOf(row: FeedRow, now: Date): number | null | Refusal {
  const text = cellOf(row, 'year');
  if (text === '') return null;
  const year = /^\d{4}(\.0+)?$/.test(text) ? Number(text) : Number.NaN;
  const inRange = year >= FIRST_YEAR && year <= now.getUTCFullYear() + 1;
  return inRange ? year : { code: 'BAD_YEAR', reason: `${text.slice(0, 40)} is no model year.` };
}

/** What make, model and trim say. A model's own name stands; else the trim may tell which it is: Silverado, 2500 LT. */
function readColumns(row: FeedRow, year: number | null, now: Date): TitleReading | null {
  const name = [year, cellOf(row, 'make'), cellOf(row, 'model')].filter((part) => part !== null && part !== '');
  if (name.length === (year === null ? 0 : 1)) return null;
  const plain = readTitle(name.join(' '), now);
  const own = plain.make && modelsOf(plain.make).find(({ label }) => nameKey(label) === nameKey(cellOf(row, 'model')));
  if (own) return { ...plain, model: own.value };
  const trim = cellOf(row, 'trim');
  if (trim === '') return plain;
  const full = readTitle([...name, trim].join(' '), now);
  return full.make === plain.make && full.model !== null && !full.notACar ? full : plain;
}

/**
 * The car of a row: by its columns for make, model, trim and year, else by its title; or why it is none. A VIN or an
 * odometer shows that a whole car is offered, whatever else the title names.
 */
export function parseFeedVehicle(row: FeedRow, title: string, isWhole: boolean, now: Date): FeedVehicle | Refusal {
  const kind = [cellOf(row, 'vehicle_type'), cellOf(row, 'body_style')].find(isOtherKind);
  if (kind !== undefined) return { code: 'NOT_A_CAR', reason: `It is offered as ${kind.slice(0, 80)}.` };
  const year = yearOf(row, now);
  if (year !== null && typeof year === 'object') return year;
  const columns = readColumns(row, year, now);
  const said = readTitle(title, now);
  if (columns?.notACar || (said.notACar && !(isWhole && columns?.make))) {
    return { code: 'NOT_A_CAR', reason: 'What it names is no whole car.' };
  }
  const make = cellOf(row, 'make');
  const unknownMake =
    make !== '' && !columns?.make && (said.otherMake || title.toLowerCase().includes(make.toLowerCase()));
  const found = columns?.make ? columns : said.make && !unknownMake ? said : null;
  if (!found?.make) {
    return make !== '' || columns?.otherMake || said.otherMake
      ? { code: 'UNKNOWN_MAKE', reason: 'The make is not in the catalogue.' }
      : { code: 'NOT_A_CAR', reason: 'Neither the columns nor the title name a car.' };
  }
  const other = said.make === found.make ? said.model : null;
  const name = [cellOf(row, 'year'), make, cellOf(row, 'model'), cellOf(row, 'trim')].filter((part) => part !== '');
  return { make: found.make, model: found.model ?? other, year: year ?? said.year, name: name.join(' ') };
}
