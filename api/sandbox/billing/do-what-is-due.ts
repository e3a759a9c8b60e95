import type { Store } from '../state/store.ts';
import { expireCheckout } from './checkout.ts';
import { endPeriod } from './subscriptions.ts';

/** Does what only time brings: checkouts expire, periods end. */
export function doWhatIsDue(store: Store): void {
  store.change((change) => {
    for (const { id, status, expires_at: at } of change.all('checkout.session')) {
      if (status === 'open' && at <= change.now) expireCheckout(change, change.edit('checkout.session', id));
    }
    for (const { id, status, items } of change.all('subscription')) {
      if (status !== 'canceled' && items.data[0].current_period_end <= change.now)
        endPeriod(change, change.edit('subscription', id));
    }
  });
}
