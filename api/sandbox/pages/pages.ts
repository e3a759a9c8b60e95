import { StripeError } from '../protocol/stripe-error.ts';
import type { Store } from '../state/store.ts';
import { actOnCheckout, checkoutPage } from './checkout.ts';
import { messagePage } from './page.ts';
import { actOnPortal, portalPage } from './portal.ts';

export type PageAnswer = { status: number; html: string } | { status: 303; location: string };

interface PageRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
}

const missing: PageAnswer = {
  status: 404,
  html: messagePage('Nothing here', 'This payment page is unknown, or it was deleted.'),
};

/** Answers the pages of buyers: a GET shows a page, a POST acts and redirects. */
export function answerPage(store: Store, { method, path, query, form }: PageRequest): PageAnswer {
  const [, kind, id = ''] = /^\/(checkout|portal)\/(\w{1,100})$/.exec(path) ?? [];
  if (kind === undefined) return missing;
  const action = form.get('action') ?? '';
  try {
    if (method === 'POST') {
      const location = store.change((change) =>
        kind === 'checkout'
          ? actOnCheckout(change, id, action)
          : actOnPortal(change, id, action, form.get('price') ?? ''),
      );
      return { status: 303, location };
    }
    const html = store.change((change) =>
      kind === 'checkout' ? checkoutPage(change, id, query) : portalPage(change, id, query),
    );
    return { status: 200, html };
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    if (error.code === 'resource_missing') return missing;
    return { status: error.status, html: messagePage("That didn't work", error.message) };
  }
}
