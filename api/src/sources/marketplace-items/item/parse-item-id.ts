import { type Fields, innerOf, textOf } from '../../record/record-fields.ts';

const idNames = [
  'id',
  'productid',
  'listingid',
  'itemid',
  'externalid',
  'vehicleid',
  '@id',
  'identifier',
  'sku',
  'stocknumber',
  'vehicleidentificationnumber',
  'vin',
  '@offer',
];

/** schema.org names things by their page where they have no id; the front page of a site names nothing. */
function idOfPage(fields: Fields): string | null {
  if (!fields.has('@type')) return null;
  const address = textOf(fields, 'url') ?? textOf(innerOf(fields, 'offers'), 'url');
  if (address === null || !URL.canParse(address)) return null;
  const { origin, pathname, search } = new URL(address);
  return pathname === '/' && search === '' ? null : `${origin}${pathname}${search}`;
}

/**
 * The id under which a source lists an item for ever: its own, else its wrapper's, its offer's or its page's; null when
 * there is none. @param wrapper fields of what the item lay in
 */
export function parseItemId(item: Fields, wrapper: Fields): string | null {
  return textOf(item, ...idNames) ?? textOf(wrapper, 'id', 'productid', 'listingid', 'itemid') ?? idOfPage(item);
}
