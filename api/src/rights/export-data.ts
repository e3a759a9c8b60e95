import { type Client, inTransaction, type Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { type PersonalTable, personalTables } from './tables/personal-tables.ts';
import { readAlertIds, type TheirRows, theirRows } from './their-rows.ts';

export type ExportRow = Record<string, unknown>;

/** What `exportData` answers; every list is complete. */
export interface DataExport {
  exportedAt: Date;
  about: string;
  profile: ExportRow;
  plan: ExportRow | null;
  alerts: ExportRow[];
  formerAlerts: ExportRow[];
  matches: ExportRow[];
  listingViews: ExportRow[];
  notifications: ExportRow[];
  mails: ExportRow[];
  formerEmails: ExportRow[];
  texts: ExportRow[];
  phoneCodes: ExportRow[];
  textStops: ExportRow[];
  contactMessages: ExportRow[];
  deletionRequests: ExportRow[];
  idempotencyKeys: ExportRow[];
  webhooks: ExportRow[];
  webhookEvents: ExportRow[];
  webhookDeliveries: ExportRow[];
  webhookAttempts: ExportRow[];
  priceDrops: ExportRow[];
  apiKeys: ExportRow[];
  apiUsage: ExportRow[];
  payments: ExportRow | null;
  checkouts: ExportRow[];
  paymentEvents: ExportRow[];
  sessions: ExportRow[];
  secondFactor: ExportRow | null;
  recoveryCodes: ExportRow[];
}

const ABOUT =
  'Everything that LotWatch keeps about you. Times are UTC, prices whole US dollars, distances and radii miles. ' +
  'Of your password, of the secrets of your API keys and of recovery codes only hashes are kept; those, and what your authenticator app shares with us, are not in here.';

/** So many rows are read at a time: between two reads others have their turn. */
const ROWS_A_READ = 2_000;

/** Whatever is read, is of one moment. */
const begin = 'begin isolation level repeatable read read only';

const camelCase = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function columnsOf({ exported }: PersonalTable): string {
  return Object.entries(exported)
    .map(([column, as]) => (as === true ? `t.${column} as "${camelCase(column)}"` : as))
    .join(', ');
}

/** What a match was of, when its car was looked at, and when a mail or text that tells of it was handed over. */
const ofMatches = {
  columns: `, v.viewed_at as "viewedAt", n.mailed_at as "mailedAt",
      n.texted_at as "textedAt", case when l.id is not null then json_build_object(
      'id', l.id, 'source', l.source, 'title', l.title, 'status', l.status, 'make', l.make, 'model', l.model,
      'year', l.year, 'price', l.price, 'mileage', l.mileage, 'transmission', l.transmission, 'color', l.color,
      'condition', l.condition, 'city', l.city, 'state', l.state, 'imageUrl', l.image_url, 'url', l.url,
      'listedAt', l.listed_at, 'seenAt', l.seen_at) end as listing`,
  joins: `left join listings l on l.id = t.listing_id
    left join listing_views v on v.listing_id = t.listing_id and v.user_id = :user
    left join lateral (
      select max(settled_at) filter (where channel = 'email') as mailed_at,
             max(settled_at) filter (where channel = 'sms') as texted_at from notifications
       where alert_id = t.alert_id and listing_id = t.listing_id and status = 'sent') n on true`,
};

async function readAll(client: Client, text: string, person: TheirRows): Promise<ExportRow[]> {
  const all: ExportRow[] = [];
  await client.query(theirRows(`declare exported no scroll cursor for ${text}`, person));
  for (;;) {
    const { rows } = await client.query<ExportRow>(`fetch ${ROWS_A_READ} from exported`);
    all.push(...rows);
    if (rows.length < ROWS_A_READ) break;
  }
  await client.query('close exported');
  return all;
}

function rowsOf(client: Client, person: TheirRows, table: PersonalTable, more = { columns: '', joins: '' }) {
  const from = `(select * from ${table.table} where ${table.theirs}) t`;
  return readAll(client, `select ${columnsOf(table)}${more.columns} from ${from} ${more.joins} order by 1`, person);
}

/** Anybody can type any address into a form: what was sent with it goes to who has confirmed it. */
async function confirmedAddress(client: Client, userId: number): Promise<string[]> {
  const { rows } = await client.query<{ address: string }>(
    'select lower(email) as address from users where id = $1 and email_confirmed_at is not null and email is not null',
    [userId],
  );
  return rows.map(({ address }) => address);
}

const messagesToo: PersonalTable = {
  ...personalTables.contactMessages,
  theirs: `${personalTables.contactMessages.theirs} or user_id is null and lower(email) = any (:names)`,
};

/** At a time, the one that is read included: each of the others holds a connection of a browser's and waits. */
const EXPORTS_AT_MOST = 10;

let lastExport: Promise<unknown> = Promise.resolve();
let underWay = 0;

/**
 * Everything that is kept about a user but secrets. One after another: 50,000 matches are 40 MB.
 * @throws AppError UNAUTHENTICATED when the account is gone, RATE_LIMITED while many others wait for theirs
 */
export async function exportData(pool: Pool, viewer: { id: number }): Promise<DataExport> {
  if (underWay >= EXPORTS_AT_MOST) {
    const message = 'Many people download their data at this moment. Please try again in a minute.';
    throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: 60 });
  }
  underWay += 1;
  const mine = lastExport.then(() => readExport(pool, viewer));
  lastExport = mine
    .catch(() => {})
    .then(() => {
      underWay -= 1;
    });
  return mine;
}

function readExport(pool: Pool, viewer: { id: number }): Promise<DataExport> {
  return inTransaction(
    pool,
    async (client) => {
      const alerts = await readAlertIds(client, viewer.id);
      const person: TheirRows = { user: viewer.id, alerts, names: await confirmedAddress(client, viewer.id) };
      const of = (table: PersonalTable) => rowsOf(client, person, table);
      const [profile] = await of(personalTables.profile);
      if (!profile) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
      const [payments] = await of(personalTables.billingCustomers);
      const { rows: plans } = await client.query<ExportRow>(
        'select id, name, price, alert_limit as "alertLimit" from plans where id = $1',
        [profile.planId],
      );
      return {
        exportedAt: new Date(),
        about: ABOUT,
        profile,
        plan: plans[0] ?? null,
        alerts: await of(personalTables.alerts),
        formerAlerts: await of(personalTables.formerAlerts),
        matches: await rowsOf(client, person, personalTables.matches, ofMatches),
        listingViews: await of(personalTables.listingViews),
        notifications: await of(personalTables.notifications),
        mails: await of(personalTables.mails),
        formerEmails: await of(personalTables.formerEmails),
        texts: await of(personalTables.texts),
        phoneCodes: await of(personalTables.phoneCodes),
        textStops: await of(personalTables.textStops),
        contactMessages: await of(messagesToo),
        deletionRequests: await of(personalTables.deletionRequests),
        idempotencyKeys: await of(personalTables.idempotencyKeys),
        webhooks: await of(personalTables.webhooks),
        webhookEvents: await of(personalTables.webhookEvents),
        webhookDeliveries: await of(personalTables.webhookDeliveries),
        webhookAttempts: await of(personalTables.webhookAttempts),
        priceDrops: await of(personalTables.priceDrops),
        apiKeys: await of(personalTables.apiKeys),
        apiUsage: await of(personalTables.apiUsage),
        payments: payments ?? null,
        checkouts: await of(personalTables.billingCheckouts),
        paymentEvents: await of(personalTables.billingEvents),
        sessions: await of(personalTables.sessions),
        secondFactor: (await of(personalTables.secondFactor))[0] ?? null,
        recoveryCodes: await of(personalTables.recoveryCodes),
      };
    },
    begin,
  );
}
