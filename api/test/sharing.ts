import { expect } from 'vitest';
import type { Browser } from './browser.ts';

const made = '{ id url alert { id } carCount titles createdAt expiresAt }';
export const share = (browser: Browser, id: number | string) =>
  browser.gql(`mutation ($id: ID!) { shareAlert(id: $id) ${made} }`, { id: String(id) });
export const shareCars = (browser: Browser, ids: readonly (number | string)[]) =>
  browser.gql(`mutation ($ids: [ID!]!) { shareListings(ids: $ids) ${made} }`, { ids: ids.map(String) });
export const end = (browser: Browser, id: string) =>
  browser.gql('mutation ($id: ID!) { endSharedLink(id: $id) }', { id });
export const links = async (browser: Browser) => (await browser.gql(`{ sharedLinks ${made} }`)).data.sharedLinks;

/** The fields of `SharedAlert`. */
export const criteria =
  'make model models yearMin yearMax place radius priceMin priceMax color onlyWithImages mileageMax transmission fuel drive body titleStatus seller priceStated belowFairPrice asksForWords';
const facts =
  'title status price mileage transmission color condition location { reverse_geocode { city state } } priceBand { low middle high n rating reason } photos url createdAt';
export const tokenOf = (url: string) => url.split('/shared/')[1] ?? '';
/** Reads what a link shows. */
export async function openShared(url: string, browser: Browser) {
  const query = `query ($token: String!) { shared(token: $token) { alert { ${criteria} } cars { ${facts} } } }`;
  const { data, errors } = await browser.gql(query, { token: tokenOf(url) });
  expect(errors).toEqual([]);
  return data.shared;
}
export const titlesOf = (shared: { cars: { title: string }[] } | null) => shared?.cars.map(({ title }) => title);
