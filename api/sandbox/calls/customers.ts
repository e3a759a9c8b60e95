import { newCustomer } from '../billing/new-customer.ts';
import { endSubscription } from '../billing/subscriptions.ts';
import { call } from '../protocol/call.ts';
import { clearable, listFields, mergeMetadata, metadata, text } from '../protocol/fields.ts';
import { listOf } from '../protocol/list.ts';
import { missingResource } from '../protocol/stripe-error.ts';

const fields = {
  email: clearable
    .refine((given) => given === null || /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(given), 'no address')
    .optional(),
  name: clearable.optional(),
  phone: clearable.optional(),
  description: clearable.optional(),
  metadata: metadata.optional(),
};

export const customerCalls = [
  call('POST', '/v1/customers', fields, (change, given) => {
    const customer = change.put(newCustomer(change.now, given));
    change.emit('customer.created', customer);
    return customer;
  }),
  call('GET', '/v1/customers', { ...listFields, email: text.optional() }, (change, { email, ...page }) => {
    const living = change.all('customer').flatMap((one) => ('deleted' in one ? [] : [one]));
    const wanted = living.filter((one) => email === undefined || one.email === email);
    return listOf('/v1/customers', wanted, page);
  }),
  call('GET', '/v1/customers/:id', {}, (change, _given, id) => {
    const customer = change.find('customer', id);
    if (!customer) throw missingResource('customer', id, 'id');
    return customer;
  }),
  call('POST', '/v1/customers/:id', fields, (change, given, id) => {
    const customer = change.customer(id, 'id');
    Object.assign(customer, given, { metadata: mergeMetadata(customer.metadata, given.metadata) });
    change.emit('customer.updated', customer);
    return customer;
  }),
  call('DELETE', '/v1/customers/:id', {}, (change, _given, id) => {
    const customer = change.customer(id, 'id');
    for (const one of change.all('subscription')) {
      if (one.customer === id && one.status !== 'canceled')
        endSubscription(change, change.edit('subscription', one.id), 'cancellation_requested');
    }
    change.emit('customer.deleted', customer);
    return change.put({ id, object: 'customer', deleted: true });
  }),
];
