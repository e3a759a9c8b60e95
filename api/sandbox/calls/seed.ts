import type { Store } from '../state/store.ts';
import { newPrice, newProduct } from './catalogue.ts';
import { newConfiguration } from './portal.ts';

export interface SeedPlan {
  id: number;
  name: string;
  description: string;
  /** US dollars a month, two decimals. */
  price: string;
  lookupKey: string;
}

/** Creates what the one-time setup creates at Stripe: the plans' prices, and a portal to change and cancel subscriptions. */
export function seed(store: Store, plans: readonly SeedPlan[]): void {
  store.change((change) => {
    const sold = plans.map((plan) => {
      const known = change.all('price').find((one) => one.lookup_key === plan.lookupKey);
      if (known) return known;
      const product = newProduct(change, {
        id: `lotwatch_${plan.name.toLowerCase()}`,
        name: `LotWatch ${plan.name}`,
        description: plan.description,
        metadata: { lotwatch_plan: String(plan.id) },
      });
      return newPrice(change, {
        product: product.id,
        unit_amount: Math.round(Number(plan.price) * 100),
        currency: 'usd',
        lookup_key: plan.lookupKey,
        metadata: { lotwatch_plan: String(plan.id) },
        recurring: { interval: 'month' },
      });
    });
    if (change.all('billing_portal.configuration').some((one) => one.is_default)) return;
    const features = {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' as const },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price' as const],
        products: sold.map(({ product, id }) => ({ product, prices: [id] })),
        proration_behavior: 'always_invoice' as const,
      },
    };
    newConfiguration(change, { features, metadata: { lotwatch: 'portal' } }, true);
  });
}
