import type { Client } from '../../base/database.ts';
import { fits, type ListingCriteria, verdictsFor } from '../../domain/criteria/criteria.ts';
import type { WatchingAlert } from './lock-alerts.ts';

interface PairRow extends ListingCriteria {
  id: number;
  alertId: number;
  mailId: string | null;
  createdAt: Date;
  status: string;
  matchVersion: number | null;
}

export type Pair = Pick<PairRow, 'id' | 'alertId' | 'mailId' | 'createdAt'>;

export interface Pairs {
  fitting: Pair[];
  /** The pair no longer fits, or the car is no longer for sale. */
  failing: Pair[];
}

const PAIRS_A_MAIL = 500;

/** "offset 0" keeps each step a look-up by index, whatever the planner believes about the tables' sizes. */
const facts = `
  select n.id, n.alert_id as "alertId", n.mail_id as "mailId", n.created_at as "createdAt",
         coalesce(l.status, 'gone') as status, m.alert_version as "matchVersion",
         l.make, l.model, l.year, l.price, l.color, l.image_url as "imageUrl", l.lat, l.lng`;
const joined = `
  left join lateral (select * from listings l where l.id = n.listing_id offset 0) l on true
  left join lateral (
    select m.alert_version from matches m where m.listing_id = n.listing_id and m.alert_id = n.alert_id offset 0) m on true`;

type Alerts = ReadonlyMap<number, Pick<WatchingAlert, 'version' | 'criteria'>>;

function judge(rows: readonly PairRow[], alerts: Alerts): Pairs {
  const pairs: Pairs = { fitting: [], failing: [] };
  for (const row of rows) {
    const alert = alerts.get(row.alertId);
    if (!alert) continue;
    const holds =
      row.status === 'for_sale' && row.matchVersion === alert.version && fits(verdictsFor(alert.criteria, row));
    if (holds) pairs.fitting.push(row);
    else pairs.failing.push(row);
  }
  return pairs;
}

/** Looks at what waits for these alerts, the oldest of each first, as the cars and criteria are now. */
export async function lookAtWaiting(
  client: Client,
  alerts: Alerts,
  channel: 'email' | 'sms' = 'email',
): Promise<Pairs> {
  const { rows } = await client.query<PairRow>({
    name: 'notify-waiting-pairs',
    text: `${facts}
       from unnest($1::int8[]) asked (alert_id)
      cross join lateral (
        select * from (
          select * from notifications w
           where w.alert_id = asked.alert_id and w.status = 'waiting' and w.channel = $2 offset 0) w
         order by w.id limit ${PAIRS_A_MAIL}) n
      ${joined}`,
    values: [[...alerts.keys()], channel],
  });
  return judge(rows, alerts);
}

/** Looks at what these claimed mails are to announce. */
export async function lookAtMails(
  client: Client,
  alerts: ReadonlyMap<number, WatchingAlert>,
  mailIds: readonly string[],
): Promise<Pairs> {
  const { rows } = await client.query<PairRow>({
    name: 'notify-mail-pairs',
    text: `${facts} from notifications n ${joined} where n.mail_id = any($1::uuid[]) and n.status = 'sending'`,
    values: [mailIds],
  });
  return judge(rows, alerts);
}
