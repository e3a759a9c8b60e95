import { plural } from '../../lib/text/time.ts';

interface List {
  carCount: number;
  /** Of its first cars that are still known. */
  titles: readonly string[];
}

/** The name of a list in the list of links: '3 cars'. */
export const listName = ({ carCount }: Pick<List, 'carCount'>): string => plural(carCount, 'car');

/** What its first cars are: '2018 Honda Civic, 2016 Honda Accord and 4 more'. */
export function listTitles({ carCount, titles }: List): string {
  if (titles.length === 0) return 'None of them can be found any more';
  const more = carCount - titles.length;
  return more > 0 ? `${titles.join(', ')} and ${more} more` : titles.join(', ');
}
