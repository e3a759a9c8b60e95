import { newId } from '../state/ids.ts';
import type { Customer, Metadata } from '../state/objects.ts';

interface Given {
  email?: string | null;
  name?: string | null;
  phone?: string | null;
  description?: string | null;
  metadata?: Metadata;
}

export const newCustomer = (now: number, given: Given): Customer => ({
  id: newId('cus', 14),
  object: 'customer',
  balance: 0,
  created: now,
  currency: null,
  default_source: null,
  delinquent: false,
  description: given.description ?? null,
  email: given.email ?? null,
  invoice_prefix: newId('x', 8).slice(2).toUpperCase(),
  livemode: false,
  metadata: given.metadata ?? {},
  name: given.name ?? null,
  next_invoice_sequence: 1,
  phone: given.phone ?? null,
  preferred_locales: [],
  tax_exempt: 'none',
});
