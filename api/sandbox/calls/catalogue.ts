import { z } from 'zod';
import { call } from '../protocol/call.ts';
import { address, clearable, flag, listFields, mergeMetadata, metadata, text, whole } from '../protocol/fields.ts';
import { listOf } from '../protocol/list.ts';
import { badRequest, missingResource } from '../protocol/stripe-error.ts';
import { newId } from '../state/ids.ts';
import type { Price, Product } from '../state/objects.ts';
import type { Change } from '../state/store.ts';

const productFields = {
  name: text,
  active: flag.optional(),
  description: clearable.optional(),
  metadata: metadata.optional(),
  url: address.optional(),
  tax_code: text.optional(),
  unit_label: text.optional(),
  statement_descriptor: text.optional(),
};

export function newProduct(
  change: Change,
  { id, ...given }: { id?: string; name: string } & Partial<Product>,
): Product {
  return change.put({
    id: id ?? newId('prod', 14),
    object: 'product',
    active: true,
    created: change.now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    statement_descriptor: null,
    tax_code: null,
    type: 'service',
    unit_label: null,
    updated: change.now,
    url: null,
    ...given,
  });
}

/** Removes a lookup key from the price that has it. @throws StripeError unless the call may transfer it */
function releaseLookupKey(change: Change, key: string, mayTake: boolean): void {
  const holder = change.all('price').find((one) => one.lookup_key === key);
  if (!holder) return;
  if (!mayTake) {
    const why = `A price (\`${holder.id}\`) already uses that lookup key.`;
    throw badRequest(why, 'lookup_key', 'lookup_key_taken');
  }
  const edited = change.edit('price', holder.id);
  edited.lookup_key = null;
  change.emit('price.updated', edited, { lookup_key: key });
}

interface GivenPrice {
  product: string;
  unit_amount: number;
  currency: string;
  lookup_key?: string;
  nickname?: string | null;
  active?: boolean;
  tax_behavior?: string;
  metadata?: Record<string, string>;
  recurring?: { interval: 'day' | 'week' | 'month' | 'year'; interval_count?: number };
}

export function newPrice(change: Change, given: GivenPrice): Price {
  const { recurring } = given;
  return change.put({
    id: newId('price'),
    object: 'price',
    active: given.active ?? true,
    billing_scheme: 'per_unit',
    created: change.now,
    currency: given.currency,
    livemode: false,
    lookup_key: given.lookup_key ?? null,
    metadata: given.metadata ?? {},
    nickname: given.nickname ?? null,
    product: given.product,
    recurring: recurring
      ? {
          interval: recurring.interval,
          interval_count: recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: given.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: given.unit_amount,
    unit_amount_decimal: String(given.unit_amount),
  });
}

const recurring = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: whole.optional(),
  usage_type: z.literal('licensed').optional(),
});

const priceTexts = {
  active: flag.optional(),
  lookup_key: text.max(200).optional(),
  transfer_lookup_key: flag.optional(),
  nickname: clearable.optional(),
  metadata: metadata.optional(),
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
};

const productCalls = [
  call('POST', '/v1/products', { ...productFields, id: text.max(100).optional() }, (change, given) => {
    if (given.id !== undefined && change.any(given.id))
      throw badRequest('Product already exists.', 'id', 'resource_already_exists');
    const made = newProduct(change, given);
    change.emit('product.created', made);
    return made;
  }),
  call(
    'GET',
    '/v1/products',
    { ...listFields, active: flag.optional(), ids: z.array(text).optional() },
    (change, { active, ids, ...page }) => {
      const wanted = change
        .all('product')
        .filter((one) => (active === undefined || one.active === active) && (!ids || ids.includes(one.id)));
      return listOf('/v1/products', wanted, page);
    },
  ),
  call('GET', '/v1/products/:id', {}, (change, _given, id) => change.edit('product', id)),
  call('POST', '/v1/products/:id', { ...productFields, name: text.optional() }, (change, given, id) => {
    const product = change.edit('product', id);
    Object.assign(product, given, {
      metadata: mergeMetadata(product.metadata, given.metadata),
      updated: change.now,
    });
    change.emit('product.updated', product);
    return product;
  }),
];

export const catalogueCalls = [
  ...productCalls,
  call(
    'POST',
    '/v1/prices',
    { ...priceTexts, currency: z.literal('usd'), product: text, unit_amount: whole, recurring: recurring.optional() },
    (change, { transfer_lookup_key: transfers = false, ...given }) => {
      if (!change.find('product', given.product)) throw missingResource('product', given.product, 'product');
      if (given.lookup_key !== undefined) releaseLookupKey(change, given.lookup_key, transfers);
      const price = newPrice(change, given);
      change.emit('price.created', price);
      return price;
    },
  ),
  call(
    'GET',
    '/v1/prices',
    {
      ...listFields,
      active: flag.optional(),
      lookup_keys: z.array(text).max(10).optional(),
      product: text.optional(),
      type: z.enum(['recurring', 'one_time']).optional(),
    },
    (change, { active, lookup_keys: keys, product, type, ...page }) => {
      const wanted = change
        .all('price')
        .filter(
          (one) =>
            (active === undefined || one.active === active) &&
            (keys === undefined || (one.lookup_key !== null && keys.includes(one.lookup_key))) &&
            (product === undefined || one.product === product) &&
            (type === undefined || one.type === type),
        );
      return listOf('/v1/prices', wanted, page);
    },
  ),
  call('GET', '/v1/prices/:id', {}, (change, _given, id) => change.edit('price', id)),
  call('POST', '/v1/prices/:id', priceTexts, (change, given, id) => {
    const { transfer_lookup_key: transfers = false, ...changes } = given;
    const price = change.edit('price', id);
    if (changes.lookup_key !== undefined && changes.lookup_key !== price.lookup_key)
      releaseLookupKey(change, changes.lookup_key, transfers);
    Object.assign(price, changes, { metadata: mergeMetadata(price.metadata, given.metadata) });
    change.emit('price.updated', price);
    return price;
  }),
];
