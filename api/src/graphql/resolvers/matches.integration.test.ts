import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { insertMatches, storeCars } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';

let ana: Browser;
let anaId: number;
let alertId: number;
let cars: number[];

// It is there before the first connection, as a pool of a cluster keeps what it then finds.
const query = vi.spyOn(pg.Client.prototype, 'query');
afterAll(() => query.mockRestore());

const api = setUpApi({}, async () => {
  ({ browser: ana, id: anaId } = await api.user('ana'));
  await api.db.pool.query('update users set plan_id = 2 where id = $1', [anaId]);
  alertId = await ana.createAlert();
  cars = await storeCars(
    api.db.pool,
    Array.from({ length: 120 }, () => ({})),
  );
  await insertMatches(api.db.pool, alertId, cars);
});

const page = `query ($n: Int, $after: String, $alertId: ID) { matches(first: $n, after: $after, alertId: $alertId) {
  nodes {
    matchedAt announced distance
    alert { id make model place color matchCount daysRemaining isActive }
    listing { id title price distance isNew viewed alertIds createdAt status
              location { reverse_geocode { city state } } latitude longitude priceHistory { price seenAt } }
    verdicts { criterion verdict asked found }
    receipt { listedAt seenAt matchedAt handedOverAt deliveredAt }
  } endCursor liveCursor hasMore } }`;

describe('matches', () => {
  it('are read in pages, newest first, each with its alert, listing, verdicts and receipt', async () => {
    const first = (await ana.gql(page, { n: 100 })).data.matches;
    expect(first.nodes).toHaveLength(100);
    expect(first.hasMore).toBe(true);
    const rest = (await ana.gql(page, { n: 100, after: first.endCursor })).data.matches;
    const ids = [...first.nodes, ...rest.nodes].map((node) => Number(node.listing.id));
    expect(ids).toEqual([...cars].reverse());
    expect(rest.hasMore).toBe(false);
    expect(first.nodes[0]).toMatchObject({
      announced: true,
      distance: 12.3,
      alert: {
        id: String(alertId),
        place: 'Los Angeles, CA',
        color: 'any',
        matchCount: 120,
        daysRemaining: 42,
        isActive: true,
      },
      listing: {
        title: '2018 Toyota Camry SE',
        distance: 12.3,
        isNew: true,
        viewed: false,
        alertIds: [String(alertId)],
        createdAt: '2026-01-01T12:00:00.000Z',
        status: 'for_sale',
        location: { reverse_geocode: { city: 'Pasadena', state: 'CA' } },
        latitude: 34.15,
        longitude: -118.14,
      },
      receipt: { listedAt: '2026-01-01T12:00:00.000Z', handedOverAt: null },
    });
    expect(first.nodes[0].verdicts.map((one: { criterion: string }) => one.criterion)).toEqual([
      'make',
      'model',
      'year',
      'price',
      'color',
      'image',
      'distance',
    ]);
  });

  it('take as few statements for 100 matches as for 2', async () => {
    const count = async (n: number) => {
      const before = query.mock.calls.length;
      const { errors } = await ana.gql(page, { n });
      expect(errors).toEqual([]);
      return query.mock.calls.length - before;
    };
    // Background work of the API may happen during one of them.
    const least = async (n: number) => Math.min(await count(n), await count(n), await count(n));
    await count(2);
    const [few, many] = [await least(2), await least(100)];
    expect(many).toBe(few);
    expect(few).toBeGreaterThanOrEqual(8);
    expect(many).toBeLessThanOrEqual(12);
  });

  it('state when the message about them was delivered', async () => {
    const listingId = cars[0];
    await api.db.pool.query(
      `with mail as (insert into mails (kind, user_id, to_address, sent_at, status) values ('match', $1, 'a@b.test', '2026-02-01T10:00:00Z', 'sent') returning id, user_id)
       insert into notifications (user_id, alert_id, listing_id, mail_id, status, due_at)
       select user_id, $2, $3, id, 'sent', now() from mail`,
      [anaId, alertId, listingId],
    );
    const { nodes } = (await ana.gql('{ matches(first: 100) { endCursor nodes { listing { id } } } }')).data.matches;
    expect(nodes).toHaveLength(100);
    const first = (await ana.gql('{ matches(first: 100) { endCursor } }')).data.matches;
    const rest = (await ana.gql(page, { n: 100, after: first.endCursor })).data.matches;
    expect(rest.nodes.at(-1).receipt.handedOverAt).toBe('2026-02-01T10:00:00.000Z');
  });

  it('are refused for a page size above 100 or below 1, an invalid cursor, or another user’s alert', async () => {
    for (const variables of [{ n: 101 }, { n: 0 }, { n: -5 }, { n: 5, after: 'nonsense' }]) {
      const { errors } = await ana.gql(page, variables);
      expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', fields: expect.any(Object) });
    }
    const { browser: bob } = await api.user('bob');
    for (const id of [String(alertId), '999999', 'abc', '1e3']) {
      expect((await bob.gql(page, { alertId: id })).errors[0]?.extensions.code).toBe('NOT_FOUND');
      expect((await bob.gql('query ($id: ID!) { alert(id: $id) { id } }', { id })).data).toEqual({ alert: null });
    }
    expect((await bob.gql(page, {})).data.matches.nodes).toEqual([]);
  });

  it('are hidden once the alert’s criteria have changed', async () => {
    const { browser: carol } = await api.user('carol');
    const id = await carol.createAlert();
    await insertMatches(api.db.pool, id, cars.slice(0, 3));
    const count = async () =>
      (await carol.gql('{ alerts { matchCount } matches { nodes { matchedAt } } recentListings { id } }')).data;
    expect((await count()).alerts).toEqual([{ matchCount: 3 }]);
    const edit =
      'mutation ($id: ID!) { updateAlert(id: $id, input: { priceMax: 9000 }) { priceMax matchCount model } }';
    expect((await carol.gql(edit, { id })).data.updateAlert).toEqual({ priceMax: 9000, matchCount: 0, model: 'camry' });
    expect(await count()).toEqual({ alerts: [{ matchCount: 0 }], matches: { nodes: [] }, recentListings: [] });
  });
});

describe('a listing', () => {
  const one = 'query ($id: ID!) { listing(id: $id) { id isNew viewed distance alertIds } }';
  const view = 'mutation ($id: ID!) { markListingViewed(id: $id) { id isNew viewed } }';

  it('is new to a buyer for a day, until that buyer has viewed it', async () => {
    const id = String(cars[5]);
    expect((await ana.gql(view, { id })).data.markListingViewed).toEqual({ id, isNew: false, viewed: true });
    expect((await ana.gql(view, { id })).errors).toEqual([]);
    const { browser: dora } = await api.user('dora');
    const alert = await dora.createAlert();
    await api.db.pool.query('update listings set seen_at = now() where id = any($1)', [[id, cars[6]]]);
    await insertMatches(api.db.pool, alert, [Number(id)]);
    await insertMatches(api.db.pool, alert, [cars[6] ?? 0], { hoursAgo: 25 });
    expect((await dora.gql(one, { id })).data.listing).toMatchObject({ isNew: true, viewed: false });
    expect((await dora.gql(one, { id: cars[6] })).data.listing).toMatchObject({ isNew: false, viewed: false });
  });

  it('shows the distance of the nearest of the buyer’s alerts', async () => {
    const near = await ana.createAlert({ location: 'Pasadena, CA' });
    await insertMatches(api.db.pool, near, [cars[7] ?? 0], { distance: 0.26 });
    expect((await ana.gql(one, { id: cars[7] })).data.listing).toMatchObject({
      distance: 0.3,
      alertIds: [String(near), String(alertId)],
    });
    await ana.gql('mutation ($id: ID!) { deleteAlert(id: $id) }', { id: near });
  });

  it('is not found by a user without a match of it', async () => {
    const { browser: stranger } = await api.user('stranger');
    for (const id of [String(cars[0]), '999999', 'x']) {
      expect((await stranger.gql(one, { id })).data).toEqual({ listing: null });
      expect((await stranger.gql(view, { id })).errors[0]?.extensions.code).toBe('NOT_FOUND');
    }
    const rows = await api.db.rows(
      'select 1 from listing_views v join users u on u.id = v.user_id where username = $1',
      ['stranger'],
    );
    expect(rows).toEqual([]);
  });

  it('is among the 50 newest, each car once', async () => {
    const recent = (await ana.gql('{ recentListings { id } }')).data.recentListings.map((l: { id: string }) =>
      Number(l.id),
    );
    expect(recent).toEqual([...cars].reverse().slice(0, 50));
    const [older, newer] = [cars.at(-3), cars.at(-1)];
    await api.db.pool.query('update listings set car_id = $1 where id = any($2)', [older, [older, newer]]);
    const again = (await ana.gql('{ recentListings { id } }')).data.recentListings.map((l: { id: string }) =>
      Number(l.id),
    );
    await api.db.pool.query('update listings set car_id = null where id = any($1)', [[older, newer]]);
    expect(again).toHaveLength(50);
    expect(again).toContain(newer);
    expect(again).not.toContain(older);
  });
});

describe('site, plans and places', () => {
  it('are shown to visitors', async () => {
    const visitor = makeBrowser(api.url);
    const { data } = await visitor.gql(`{
      site { testMode confirmEmail supportEmail marketplaceHome carsSeenLastHour lastCheckedAt medianSecondsToMail checkEverySeconds }
      plans { id name price monthlyPrice alertLimit isPopular features }
      catalogue { makes { value models { value } } years { value } distances { value } colors { value } }
      locationSuggestions(text: "aust") { label name state zip } }`);
    expect(data.site).toMatchObject({ testMode: true, confirmEmail: false, checkEverySeconds: 60 });
    expect(data.plans.map((plan: Record<string, unknown>) => [plan.id, plan.price, plan.monthlyPrice])).toEqual([
      ['1', '0', '0'],
      ['2', '4.99', '4.99'],
      ['3', '14.99', '14.99'],
      ['4', '69.99', '69.99'],
    ]);
    expect(data.catalogue.makes).toHaveLength(42);
    expect(data.catalogue.years).toHaveLength(31);
    expect(data.locationSuggestions[0]).toEqual({ label: 'Austin, TX', name: 'Austin', state: 'TX', zip: null });
  });

  it('show the user’s plan and its remaining alerts', async () => {
    const { data } = await ana.gql(
      '{ currentSubscription { planId subscriptionPlanId planName status currentPeriodEnd } canCreateAlert { canCreateAlert needsUpgrade alertsUsed alertLimit } }',
    );
    expect(data).toEqual({
      currentSubscription: {
        planId: '2',
        subscriptionPlanId: '2',
        planName: 'Starter',
        status: 'active',
        currentPeriodEnd: null,
      },
      canCreateAlert: { canCreateAlert: true, needsUpgrade: false, alertsUsed: 1, alertLimit: 5 },
    });
  });

  it('show the sources only to the admin', async () => {
    const health =
      '{ sourceHealth { name kind failures items rejects lagMs lastPolledAt lastSuccessAt lastError lastErrorAt } }';
    expect((await ana.gql(health)).errors[0]?.extensions.code).toBe('FORBIDDEN');
    const admin = await api.admin();
    await api.db.pool.query(
      `insert into sources (name, kind, items) values ('dealer', 'push', 7)
       on conflict (name) do update set kind = excluded.kind, items = excluded.items`,
    );
    expect((await admin.gql(health)).data.sourceHealth).toContainEqual(
      expect.objectContaining({ name: 'dealer', kind: 'push', items: 7, rejects: 0, failures: 0, lastError: null }),
    );
    const anyListing = (await admin.gql('query ($id: ID!) { listing(id: $id) { title } }', { id: cars[0] })).data;
    expect(anyListing.listing.title).toBe('2018 Toyota Camry SE');
  });
});
