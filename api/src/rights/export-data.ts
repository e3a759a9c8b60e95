import pLimit from 'p-limit';
import { type Client, inTransaction, type Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { bindPerson, type PersonKeys, readAlertIds, readPhones } from './person-keys.ts';
import { columnsIn, type PersonalTable } from './personal-table.ts';
import { personalTables } from './personal-tables.ts';

type ExportRow = Record<string, unknown>;

type Tables = typeof personalTables;
type ExportedTable = { [K in keyof Tables]: Tables[K]['exported'] extends '' ? never : K }[keyof Tables];

/** The answer of `exportData`: the rows of each exported table; every list is complete. */
export type DataExport = { exportedAt: Date; about: string; plan: ExportRow | null } & {
  [K in ExportedTable]: Tables[K] extends { single: true } ? ExportRow | null : ExportRow[];
};

const ABOUT =
  'Everything that LotWatch keeps about you. Times are UTC, prices whole US dollars, distances and radii miles. ' +
  'Of your password, of the secrets of your API keys and of recovery codes only hashes are kept; those, and what your authenticator app shares with us, are not in here.';

/** Rows of one read; other work of the process runs between two reads. */
const ROWS_PER_READ = 2_000;

/**
 * All reads see one snapshot. The locks come before it: where partitions are exchanged after a snapshot, the tables are empty for
 * it, and the exchange gives way to whoever has a lock.
 */
const begin = 'begin isolation level repeatable read read only; lock table matches, notifications in access share mode';

const camelCase = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const columnsOf = ({ exported, expressions = {} }: PersonalTable): string =>
  [...columnsIn(exported).map((column) => `t.${column} as "${camelCase(column)}"`), ...Object.values(expressions)].join(
    ', ',
  );

/** The listing of a match, when it was viewed, and when a message about it was delivered. */
const matchEvents = {
  columns: `, v.viewed_at as "viewedAt", n.mailed_at as "mailedAt",
      n.texted_at as "textedAt", n.pushed_at as "pushedAt", case when l.id is not null then json_build_object(
      'id', l.id, 'source', l.source, 'title', l.title, 'status', l.status, 'make', l.make, 'model', l.model,
      'year', l.year, 'price', l.price, 'mileage', l.mileage, 'transmission', l.transmission, 'color', l.color,
      'condition', l.condition, 'city', l.city, 'state', l.state, 'imageUrl', l.image_url, 'url', l.url,
      'listedAt', l.listed_at, 'seenAt', l.seen_at) end as listing`,
  joins: `left join listings l on l.id = t.listing_id
    left join listing_views v on v.listing_id = t.listing_id and v.user_id = :user
    left join lateral (
      select max(settled_at) filter (where channel = 'email') as mailed_at,
             max(settled_at) filter (where channel = 'sms') as texted_at,
             max(settled_at) filter (where channel = 'push') as pushed_at from notifications
       where alert_id = t.alert_id and user_id = :user and listing_id = t.listing_id and status = 'sent') n on true`,
};

async function readAll(client: Client, text: string, person: PersonKeys): Promise<ExportRow[]> {
  const all: ExportRow[] = [];
  await client.query(bindPerson(`declare exported no scroll cursor for ${text}`, person));
  for (;;) {
    const { rows } = await client.query<ExportRow>(`fetch ${ROWS_PER_READ} from exported`);
    all.push(...rows);
    if (rows.length < ROWS_PER_READ) break;
  }
  await client.query('close exported');
  return all;
}

async function rowsOf(client: Client, person: PersonKeys, table: PersonalTable): Promise<ExportRow[]> {
  const more = table === personalTables.matches ? matchEvents : { columns: '', joins: '' };
  const where = table.unlinkedExported ? `${table.owned} or ${table.unlinkedExported}` : table.owned;
  const from = `(select * from ${table.table} where ${where}) t`;
  return readAll(client, `select ${columnsOf(table)}${more.columns} from ${from} ${more.joins} order by 1`, person);
}

/** Reads the confirmed address, to which unlinked messages belong. */
async function confirmedAddress(client: Client, userId: number): Promise<string[]> {
  const { rows } = await client.query<{ address: string }>(
    'select lower(email) as address from users where id = $1 and email_confirmed_at is not null and email is not null',
    [userId],
  );
  return rows.map(({ address }) => address);
}

/** Concurrent exports, including the one that is read: the others wait, and each holds a connection of a browser. */
const MAX_EXPORTS = 10;

const oneByOne = pLimit(1);

/**
 * Exports everything that is stored about a user except secrets. Exports run one after another, since 50,000 matches are
 * 40 MB.
 * @throws AppError UNAUTHENTICATED when the account is gone, RATE_LIMITED while many other exports wait
 */
export async function exportData(pool: Pool, viewer: { id: number }): Promise<DataExport> {
  if (oneByOne.activeCount + oneByOne.pendingCount >= MAX_EXPORTS) {
    const message = 'Many people download their data at this moment. Please try again in a minute.';
    throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: 60 });
  }
  return oneByOne(() => readExport(pool, viewer));
}

function readExport(pool: Pool, viewer: { id: number }): Promise<DataExport> {
  return inTransaction(
    pool,
    async (client) => {
      const alerts = await readAlertIds(client, viewer.id);
      const person: PersonKeys = {
        user: viewer.id,
        alerts,
        names: await confirmedAddress(client, viewer.id),
        phones: await readPhones(client, viewer.id),
      };
      const [profile] = await rowsOf(client, person, personalTables.profile);
      if (!profile) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
      const { rows: plans } = await client.query<ExportRow>(
        'select id, name, price, alert_limit as "alertLimit" from plans where id = $1',
        [profile.planId],
      );
      const sections: Record<string, unknown> = {
        exportedAt: new Date(),
        about: ABOUT,
        profile,
        plan: plans[0] ?? null,
      };
      for (const [name, table] of Object.entries<PersonalTable>(personalTables).reverse()) {
        if (name in sections || table.exported === '') continue;
        const rows = await rowsOf(client, person, table);
        sections[name] = table.single ? (rows[0] ?? null) : rows;
      }
      return sections as DataExport;
    },
    begin,
  );
}
