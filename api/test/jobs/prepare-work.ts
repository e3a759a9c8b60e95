import { makeEncryption } from '../../src/base/encryption.ts';
import { newWebhookSecret } from '../../src/domain/webhooks/message.ts';
import { startPosition } from '../../src/webhooks/events/read-new-matches.ts';
import { buildFacts, insertMatches, storePage } from '../factories.ts';
import { insertAlert, insertDueMatch, insertListing, insertUser } from '../mail/mail-fixtures.ts';
import { camryAlert, insertAlerts } from '../matching/match-rows.ts';
import { insertDevice, insertDuePush } from '../push/push-fixtures.ts';
import { newTestSubscription } from '../push/push-service.ts';
import { insertTextedAlert } from '../texts/text-fixtures.ts';
import { FORMER_SECRET, type TwoWorkers } from './two-workers.ts';

interface PreparedWork {
  /** Names of the side effects that it must have, each exactly once. */
  effects: string[];
  /** A query that returns a row for each piece of work that is not done yet. */
  pendingQuery: string;
}

type Prepare = (workers: TwoWorkers, round: number) => Promise<PreparedWork>;

/** Pieces of work for each job in a round. */
const PIECES = 6;
const numbers = Array.from({ length: PIECES }, (_, n) => n);
const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
const address = async (db: TwoWorkers['db'], userId: number): Promise<string> =>
  (await db.row('select email from users where id = $1', [userId]))?.email ?? '';

/** Makes the pieces one after another, so that their ids are in order. */
async function each<T>(make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (const n of numbers) made.push(await make(n));
  return made;
}

let prices = 5_000;
/** An alert for a price that no other alert asks for. */
async function alertForPrice(workers: TwoWorkers, user: Record<string, unknown> = {}) {
  const { pool } = workers.db;
  const userId = await insertUser(pool, user);
  prices += 1;
  const criteria = { ...camryAlert, onlyWithImages: false, priceMin: prices, priceMax: prices };
  const [alertId = 0] = await insertAlerts(pool, userId, [criteria]);
  return { userId, alertId, price: prices };
}

async function webhookOf({ db, encryption }: TwoWorkers, userId: number, events: string[]) {
  const url = `https://dealer-${userId}.example/hooks`;
  await startPosition(db.pool, userId);
  const row = await db.row(
    'insert into webhooks (user_id, url, events, secret_ciphertext) values ($1, $2, $3, $4) returning id',
    [userId, url, events, encryption.encrypt(newWebhookSecret())],
  );
  return { id: row?.id, url };
}

async function customer({ db }: TwoWorkers, over: Record<string, unknown> = {}) {
  const userId = await insertUser(db.pool);
  const [customerId, email] = [`cus_of_${userId}`, await address(db, userId)];
  const row = { user_id: userId, customer_id: customerId, told_email: email, ...over };
  const names = Object.keys(row);
  await db.pool.query(
    `insert into billing_customers (${names}) values (${names.map((_, n) => `$${n + 1}`)})`,
    Object.values(row),
  );
  return { customerId, email };
}

/** Prepares work for each job, by its name. The test that runs all jobs fails for a job without an entry. */
export const prepareWork: Record<string, Prepare> = {
  async 'poll-sources'({ db, sourceUrl }, round) {
    const effects = numbers.map((n) => `fetch /${round}-${n}`);
    for (const n of numbers) {
      const settings = { url: `${sourceUrl}/${round}-${n}`, everySeconds: 3600, allowPrivateNetwork: true };
      const sql = "insert into sources (name, kind, settings) values ($1, 'vehicle-feed', $2)";
      await db.pool.query(sql, [`lot-${round}-${n}`, settings]);
    }
    return { effects, pendingQuery: "select from sources where kind = 'vehicle-feed' and last_success_at is null" };
  },

  async 'match-listings'(workers) {
    const { pool } = workers.db;
    const effects = await each(async () => {
      const { userId, price } = await alertForPrice(workers);
      await storePage(pool, 'test', [buildFacts({ price, images: [] })]);
      return `mail match ${await address(workers.db, userId)}`;
    });
    return { effects, pendingQuery: 'select from listings_to_match' };
  },

  async 'backfill-alerts'(workers) {
    const { pool } = workers.db;
    await each(async () => {
      const { alertId, price } = await alertForPrice(workers);
      await pool.query('update alerts set pending_match = true where id = $1', [alertId]);
      await storePage(pool, 'test', [buildFacts({ price, images: [] })]);
      await pool.query('delete from listings_to_match where listing_id in (select id from listings where price = $1)', [
        price,
      ]);
    });
    return { effects: [], pendingQuery: 'select from alerts where pending_match' };
  },

  async 'send-notifications'({ db }) {
    const effects = await each(async () => {
      const { userId } = await insertDueMatch(db.pool);
      return `mail match ${await address(db, userId)}`;
    });
    return { effects, pendingQuery: "select from mails where status in ('waiting', 'sending')" };
  },

  async 'send-texts'({ db }, round) {
    const effects = await each(async (n) => {
      const phone = `+1512555${String(round * PIECES + n).padStart(4, '0')}`;
      await insertTextedAlert(db.pool, { email_notifications: false }, { phone });
      return `text ${phone}`;
    });
    return {
      effects,
      pendingQuery: "select from notifications where channel = 'sms' and status in ('waiting', 'sending')",
    };
  },

  async 'send-pushes'({ db }) {
    const effects = await each(async (n) => {
      const userId = await insertUser(db.pool);
      const alertId = await insertAlert(db.pool, userId, { push_notifications: true, email_notifications: false });
      const endpoint = `https://push-${userId}-${n}.example/device`;
      await insertDevice(db.pool, userId, { ...newTestSubscription(), endpoint });
      await insertDuePush(db.pool, alertId);
      return `push ${endpoint}`;
    });
    return {
      effects,
      pendingQuery: "select from notifications where channel = 'push' and status in ('waiting', 'sending')",
    };
  },

  async 'compare-photos'({ db }, round) {
    const effects: string[] = [];
    await each(async (n) => {
      const [one, other] = ['one', 'other'].map((name) => `https://photos.example/${round}-${n}-${name}.jpg`);
      const ids = [
        await insertListing(db.pool, { image_url: one }),
        await insertListing(db.pool, { image_url: other }),
      ];
      await db.pool.query('insert into car_candidates (listing_id, other_id) values ($1, $2)', ids);
      effects.push(`photo ${one}`, `photo ${other}`);
    });
    return { effects, pendingQuery: 'select from car_candidates' };
  },

  async 'process-payments'(workers, round) {
    const { pool } = workers.db;
    const effects: string[] = [];
    await each(async (n) => {
      const changed = await customer(workers);
      const event = 'insert into billing_events (id, type, object_id, customer_id) values ($1, $2, $3, $4)';
      await pool.query(event, [`evt_${round}_${n}`, 'customer.subscription.updated', null, changed.customerId]);
      const due = await customer(workers, { next_check_at: new Date() });
      effects.push(`stripe readSubscriptions ${changed.customerId}`, `stripe readSubscriptions ${due.customerId}`);

      const charge = `ch_${round}_${n}`;
      await pool.query(event, [`evt_of_${charge}`, 'charge.dispute.created', charge, null]);
      effects.push(`stripe customerOfCharge ${charge}`);

      const gone = `cus_gone_${round}_${n}`;
      const deletion = 'insert into customer_deletions (customer_id, session_ids) values ($1, $2)';
      await pool.query(deletion, [gone, [`cs_${gone}`]]);
      const calls = [`expireCheckout cs_${gone}`, `readSubscriptions ${gone}`, `deleteCustomer ${gone}`];
      effects.push(...calls.map((call) => `stripe ${call}`));

      const unpaid = await customer(workers, { status: 'past_due', grace_ends_at: inDays(1) });
      effects.push(`mail grace_ending ${unpaid.email}`);
    });
    const pendingQuery = `select from billing_events where settled_at is null union all select from customer_deletions
      union all select from billing_customers where next_check_at <= now()`;
    return { effects, pendingQuery };
  },

  async 'expire-alerts'({ db }) {
    const effects: string[] = [];
    await each(async () => {
      for (const [kind, days] of [
        ['expired', -0.01],
        ['reminder', 2],
      ] as const) {
        const userId = await insertUser(db.pool);
        await insertAlert(db.pool, userId, { expires_at: inDays(days) });
        effects.push(`mail ${kind} ${await address(db, userId)}`);
      }
    });
    return { effects, pendingQuery: 'select from alerts where is_active and expires_at <= now()' };
  },

  async 'clean-up'({ db }, round) {
    await db.pool.query(
      `insert into quarantine (source, code, reason, record, record_hash, last_seen_at)
       select 'yard', 'NO_ID', '', '', $1 || ' ' || n, now() - interval '31 days' from generate_series(1, ${PIECES}) n`,
      [String(round)],
    );
    await db.pool.query(`insert into source_hours (source, hour)
      select 'yard' || n, now() - interval '4 days' from generate_series(1, ${PIECES}) n on conflict do nothing`);
    await db.pool.query(`insert into idempotency_keys (user_id, key, call, body_hash, created_at)
      select n, 'key', 'call', '', now() - interval '2 days' from generate_series(1, ${PIECES}) n`);
    const effects = await each(async () => {
      const longAgo = inDays(-800);
      await insertUser(db.pool, { last_seen_at: longAgo, idle_warned_at: inDays(-31) });
      return `mail idle_account ${await address(db, await insertUser(db.pool, { last_seen_at: longAgo }))}`;
    });
    await db.pool.query('update cleanup_positions set due_at = now()');
    return {
      effects,
      pendingQuery: `select from users where idle_warned_at < now() - interval '30 days'
        union all select from quarantine where source = 'yard' union all select from source_hours where source ~ '^yard'
        union all select from idempotency_keys`,
    };
  },

  async 'purge-listings'({ db }) {
    await each(async () => {
      const id = await insertListing(db.pool, { last_seen_at: inDays(-100), status: 'gone' });
      await db.pool.query('insert into price_changes (listing_id, price) values ($1, 1)', [id]);
    });
    await db.pool.query('update cleanup_positions set due_at = now()');
    return {
      effects: [],
      pendingQuery: "select from listings where status = 'gone' union all select from price_changes",
    };
  },

  async 'webhook-events'(workers) {
    const { pool } = workers.db;
    const effects: string[] = [];
    await each(async () => {
      const { userId, alertId, price } = await alertForPrice(workers, { plan_id: 4 });
      const { url } = await webhookOf(workers, userId, ['match.created', 'alert.expiring']);
      const ends = 'update alerts set email_notifications = false, expires_at = $2 where id = $1';
      await pool.query(ends, [alertId, inDays(2)]);
      await insertMatches(pool, alertId, [await insertListing(pool, { price })]);
      effects.push(`post ${url} match.created ${alertId}`, `post ${url} alert.expiring ${alertId}`);
    });
    return {
      effects,
      pendingQuery:
        'select from webhook_positions p where not exists (select from webhook_events e where e.user_id = p.user_id)',
    };
  },

  async 'fit-prices'({ db: { pool } }) {
    await storePage(
      pool,
      'priced',
      Array.from({ length: 100 }, (_, n) => buildFacts({ price: 9_000 + 50 * n })),
    );
    await pool.query('update price_models set fitted_at = null, version = 0');
    return { effects: [], pendingQuery: 'select from price_models where version <> 1' };
  },

  async 'renew-secrets'({ db: { pool } }) {
    const former = makeEncryption(FORMER_SECRET, 'webhook secrets');
    const ciphertexts = await each(async (n) => {
      const ciphertext = former.encrypt(`whsec_${n}`);
      await pool.query(
        `insert into webhooks (user_id, url, events, secret_ciphertext) values ($1, 'https://x.example', '{match.created}', $2)`,
        [await insertUser(pool), ciphertext],
      );
      return `'${ciphertext}'`;
    });
    return { effects: [], pendingQuery: `select from webhooks where secret_ciphertext in (${ciphertexts.join(', ')})` };
  },

  async 'deliver-webhooks'(workers) {
    const { pool } = workers.db;
    const effects = await each(async (n) => {
      const userId = await insertUser(pool, { plan_id: 4 });
      const { id, url } = await webhookOf(workers, userId, ['listing.price_dropped']);
      await pool.query(
        `with event as (
           insert into webhook_events (user_id, type, subject, data)
           values ($1, 'listing.price_dropped', '1:1', json_build_object('alert', json_build_object('id', $3::int4)))
           returning id)
         insert into webhook_deliveries (user_id, webhook_id, event_id) select $1, $2, id from event`,
        [userId, id, n],
      );
      return `post ${url} listing.price_dropped ${n}`;
    });
    return { effects, pendingQuery: "select from webhook_deliveries where status <> 'delivered'" };
  },
};
