import type { CsvFile } from './call.ts';

type Row = Record<string, unknown>;

/** The fields of a car in a CSV file. */
export const csvListing = `title year make model price trim mileage transmission fuel drive body titleStatus color condition status url note createdAt
  location { reverse_geocode { city state } } priceBand { low middle high rating }`;

/** A value below an object, which may be null. */
function at(row: unknown, path: string): string | number | null {
  let value: unknown = row;
  for (const name of path.split('.')) value = (value as Row | null | undefined)?.[name];
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

const column = (name: string, path: string) => ({ name, of: (row: unknown) => at(row, path) });

const carColumns: CsvFile['columns'] = [
  column('Title', 'listing.title'),
  column('Year', 'listing.year'),
  column('Make', 'listing.make'),
  column('Model', 'listing.model'),
  column('Price (USD)', 'listing.price'),
  column('Price rating', 'listing.priceBand.rating'),
  column('Similar cars from (USD)', 'listing.priceBand.low'),
  column('Similar cars, middle (USD)', 'listing.priceBand.middle'),
  column('Similar cars to (USD)', 'listing.priceBand.high'),
  column('Trim', 'listing.trim'),
  column('Mileage (miles)', 'listing.mileage'),
  column('Transmission', 'listing.transmission'),
  column('Fuel', 'listing.fuel'),
  column('Drive', 'listing.drive'),
  column('Body', 'listing.body'),
  column('Title status', 'listing.titleStatus'),
  column('Color', 'listing.color'),
  column('Condition', 'listing.condition'),
  column('City', 'listing.location.reverse_geocode.city'),
  column('State', 'listing.location.reverse_geocode.state'),
  column('Status', 'listing.status'),
  column('Listed at', 'listing.createdAt'),
  column('Address', 'listing.url'),
  column('Your note', 'listing.note'),
];

export const matchesCsv: CsvFile = {
  file: 'lotwatch-matches.csv',
  columns: [...carColumns, column('Distance (miles)', 'distance'), column('Matched at', 'matchedAt')],
};

export const savedCsv: CsvFile = {
  file: 'lotwatch-saved-cars.csv',
  columns: [...carColumns, column('Saved at', 'savedAt')],
};
