import { z } from 'zod';
import { call } from '../protocol/call.ts';
import { address, clearable, flag, listFields, mergeMetadata, metadata, text } from '../protocol/fields.ts';
import { listOf } from '../protocol/list.ts';
import { badRequest, missingResource } from '../protocol/stripe-error.ts';
import { newId } from '../state/ids.ts';
import type { PortalConfiguration, PortalFlow, PortalSession } from '../state/portal-objects.ts';
import type { Change } from '../state/store.ts';

const proration = z.enum(['none', 'create_prorations', 'always_invoice']);

const features = z.strictObject({
  customer_update: z
    .strictObject({ enabled: flag.optional(), allowed_updates: z.union([z.literal(''), z.array(text)]).optional() })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: flag,
      mode: z.enum(['at_period_end', 'immediately']).optional(),
      proration_behavior: proration.optional(),
      cancellation_reason: z
        .strictObject({ enabled: flag, options: z.union([z.literal(''), z.array(text)]) })
        .optional(),
    })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: flag,
      default_allowed_updates: z
        .union([z.literal(''), z.array(z.enum(['price', 'quantity', 'promotion_code']))])
        .optional(),
      products: z
        .union([z.literal(''), z.array(z.strictObject({ product: text, prices: z.array(text).min(1) }))])
        .optional(),
      proration_behavior: proration.optional(),
    })
    .optional(),
});

const fields = {
  business_profile: z
    .strictObject({
      headline: clearable.optional(),
      privacy_policy_url: address.optional(),
      terms_of_service_url: address.optional(),
    })
    .optional(),
  default_return_url: z.union([z.literal('').transform(() => null), address]).optional(),
  features,
  login_page: z.strictObject({ enabled: flag }).optional(),
  metadata: metadata.optional(),
  name: clearable.optional(),
};

const list = <T>(given: '' | T[] | undefined): T[] => given || [];

function readFeatures(change: Change, given: z.output<typeof features>): PortalConfiguration['features'] {
  const { customer_update: customer, subscription_cancel: cancel, subscription_update: update } = given;
  const products = list(update?.products);
  for (const { product, prices } of products) {
    if (!change.find('product', product)) throw missingResource('product', product, 'product');
    for (const price of prices) if (!change.find('price', price)) throw missingResource('price', price, 'price');
  }
  return {
    customer_update: { allowed_updates: list(customer?.allowed_updates), enabled: customer?.enabled ?? false },
    invoice_history: { enabled: given.invoice_history?.enabled ?? false },
    payment_method_update: {
      enabled: given.payment_method_update?.enabled ?? false,
      payment_method_configuration: null,
    },
    subscription_cancel: {
      cancellation_reason: {
        enabled: cancel?.cancellation_reason?.enabled ?? false,
        options: list(cancel?.cancellation_reason?.options),
      },
      enabled: cancel?.enabled ?? false,
      mode: cancel?.mode ?? 'at_period_end',
      proration_behavior: cancel?.proration_behavior ?? 'none',
    },
    subscription_update: {
      default_allowed_updates: list(update?.default_allowed_updates),
      enabled: update?.enabled ?? false,
      products,
      proration_behavior: update?.proration_behavior ?? 'none',
      schedule_at_period_end: { conditions: [] },
    },
  };
}

type Given = { [K in keyof typeof fields]?: z.output<(typeof fields)[K]> };

export function newConfiguration(change: Change, given: Given, isDefault = false): PortalConfiguration {
  return change.put<PortalConfiguration>({
    id: newId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    business_profile: {
      headline: given.business_profile?.headline ?? null,
      privacy_policy_url: given.business_profile?.privacy_policy_url ?? null,
      terms_of_service_url: given.business_profile?.terms_of_service_url ?? null,
    },
    created: change.now,
    default_return_url: given.default_return_url ?? null,
    features: readFeatures(change, given.features ?? {}),
    is_default: isDefault,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: given.metadata ?? {},
    name: given.name ?? null,
    updated: change.now,
  });
}

const flowOf = z.strictObject({
  type: z.enum(['payment_method_update', 'subscription_cancel', 'subscription_update', 'subscription_update_confirm']),
  after_completion: z
    .strictObject({
      type: z.enum(['hosted_confirmation', 'portal_homepage', 'redirect']),
      redirect: z.strictObject({ return_url: address }).optional(),
      hosted_confirmation: z.strictObject({ custom_message: text.max(500).optional() }).optional(),
    })
    .optional(),
  subscription_cancel: z.strictObject({ subscription: text }).optional(),
  subscription_update: z.strictObject({ subscription: text }).optional(),
  subscription_update_confirm: z
    .strictObject({
      subscription: text,
      items: z
        .array(z.strictObject({ id: text, price: text.optional(), quantity: z.literal('1').optional() }))
        .length(1),
    })
    .optional(),
});

function readFlow(change: Change, customer: string, given: z.output<typeof flowOf>): PortalFlow {
  const { type, after_completion: after, subscription_update_confirm: confirm } = given;
  const name = type === 'payment_method_update' ? undefined : given[type]?.subscription;
  if (type !== 'payment_method_update') {
    const param = `flow_data[${type}][subscription]`;
    const sub = change.find('subscription', name ?? '');
    if (!sub || sub.customer !== customer) throw missingResource('subscription', name ?? '', param);
    if (sub.status === 'canceled') throw badRequest('This subscription is canceled and can not be changed.', param);
  }
  const items = (confirm?.items ?? []).map(({ id, price }, at) => {
    const param = `flow_data[subscription_update_confirm][items][${at}]`;
    const [item] = change.edit('subscription', confirm?.subscription ?? '').items.data;
    if (item.id !== id) throw missingResource('subscription item', id, `${param}[id]`);
    const wanted = change.find('price', price ?? '');
    if (!wanted) throw missingResource('price', price ?? '', `${param}[price]`);
    if (wanted.id === item.price.id)
      throw badRequest('The subscription update has no changes to confirm.', `${param}[price]`);
    return { id, price: wanted.id, quantity: 1 };
  });
  const whole = type === 'payment_method_update' ? null : { subscription: name ?? '' };
  return {
    type,
    after_completion: {
      type: after?.type ?? 'portal_homepage',
      redirect: after?.redirect ?? null,
      hosted_confirmation: after?.hosted_confirmation
        ? { custom_message: after.hosted_confirmation.custom_message ?? null }
        : null,
    },
    subscription_cancel: type === 'subscription_cancel' && whole ? { ...whole, retention: null } : null,
    subscription_update: type === 'subscription_update' ? whole : null,
    subscription_update_confirm:
      type === 'subscription_update_confirm' && whole ? { ...whole, items, discounts: null } : null,
  };
}

const configurationCalls = [
  call('POST', '/v1/billing_portal/configurations', fields, (change, given) => newConfiguration(change, given)),
  call(
    'GET',
    '/v1/billing_portal/configurations',
    { ...listFields, active: flag.optional(), is_default: flag.optional() },
    (change, { active, is_default: isDefault, ...page }) => {
      const wanted = change
        .all('billing_portal.configuration')
        .filter(
          (one) =>
            (active === undefined || one.active === active) &&
            (isDefault === undefined || one.is_default === isDefault),
        );
      return listOf('/v1/billing_portal/configurations', wanted, page);
    },
  ),
  call('GET', '/v1/billing_portal/configurations/:id', {}, (change, _given, id) =>
    change.edit('billing_portal.configuration', id),
  ),
  call(
    'POST',
    '/v1/billing_portal/configurations/:id',
    { ...fields, features: features.optional(), active: flag.optional() },
    (change, given, id) => {
      const configuration = change.edit('billing_portal.configuration', id);
      configuration.updated = change.now;
      configuration.metadata = mergeMetadata(configuration.metadata, given.metadata);
      Object.assign(configuration.business_profile, given.business_profile);
      if (given.active !== undefined) configuration.active = given.active;
      if (given.default_return_url !== undefined) configuration.default_return_url = given.default_return_url;
      if (given.name !== undefined) configuration.name = given.name;
      const read = readFeatures(change, given.features ?? {});
      for (const name of Object.keys(given.features ?? {}) as (keyof typeof read)[])
        Object.assign(configuration.features, { [name]: read[name] });
      return configuration;
    },
  ),
];

export const portalCalls = [
  ...configurationCalls,
  call(
    'POST',
    '/v1/billing_portal/sessions',
    {
      customer: text,
      configuration: text.optional(),
      flow_data: flowOf.optional(),
      locale: text.optional(),
      return_url: address.optional(),
    },
    (change, given, _id, { publicUrl }) => {
      const customer = change.customer(given.customer);
      const configuration =
        given.configuration === undefined
          ? change.all('billing_portal.configuration').find((one) => one.is_default)
          : change.edit('billing_portal.configuration', given.configuration, 'configuration');
      if (!configuration?.active)
        throw badRequest('No configuration provided and your test mode default configuration has not been created.');
      const { subscription_update: update } = configuration.features;
      if (given.flow_data?.type.startsWith('subscription_update') && !update.enabled) {
        const why = 'This subscription cannot be updated because the subscription update feature is disabled.';
        throw badRequest(why, 'flow_data[type]');
      }
      const id = newId('bps');
      return change.put<PortalSession>({
        id,
        object: 'billing_portal.session',
        configuration: configuration.id,
        created: change.now,
        customer: customer.id,
        flow: given.flow_data ? readFlow(change, customer.id, given.flow_data) : null,
        livemode: false,
        locale: given.locale ?? null,
        on_behalf_of: null,
        return_url: given.return_url ?? configuration.default_return_url,
        url: `${publicUrl}/dev/portal/${id}`,
      });
    },
  ),
];
