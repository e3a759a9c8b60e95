import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Browser, makeBrowser } from '../browser.ts';
import { makeTestApi, type TestApi } from '../make-app.ts';
import { type FakePayments, makeFakePayments } from './fake-payments.ts';

/** What a test file about buyers and their plans has: each test a buyer of its own. */
interface Buyers {
  api: TestApi;
  fake: FakePayments;
  buyer: Browser;
  buyerId: number;
  /** How many there were. */
  people: number;
}

/** Starts an api with payments before a file's tests; what is returned is whole within them. */
export function setUpBuyers(): Buyers {
  const here = { buyerId: 0, people: 0 } as Buyers;
  let untouched: Partial<FakePayments> = {};
  beforeAll(async () => {
    here.fake = makeFakePayments();
    untouched = { ...here.fake };
    here.api = await makeTestApi({ payments: here.fake });
  });
  afterAll(() => here.api.close());
  beforeEach(async () => {
    here.people += 1;
    here.buyer = makeBrowser(here.api.url);
    here.buyerId = await here.buyer.register(`buyer-${here.people}`);
    Object.assign(here.fake, untouched, { writes: [], portalVisits: [] });
  });
  return here;
}
