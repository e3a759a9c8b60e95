import { setTimeout as sleep } from 'node:timers/promises';
import { createAlert } from '../../src/alerts/create-alert.ts';
import { deleteAlert } from '../../src/alerts/delete-alert.ts';
import { expireAlerts } from '../../src/alerts/expire-alerts.ts';
import { renewAlert } from '../../src/alerts/renew-alert.ts';
import { updateAlert } from '../../src/alerts/update-alert.ts';
import type { Client, Pool } from '../../src/base/database.ts';
import { AppError } from '../../src/base/errors.ts';
import { inRetriedTransaction } from '../../src/base/retried-transaction.ts';
import type { Gazetteer } from '../../src/domain/places/places.ts';
import { requireCopies } from '../../src/placement/listing-marks.ts';
import type { TestDatabase } from '../database.ts';
import { lockCopies } from '../everywhere.ts';
import { changeAlerts } from './change-alerts.ts';
import { changeListings, endListings } from './listing-marks.ts';
import { insertListings } from './match-rows.ts';

export interface RaceParts {
  db: TestDatabase;
  userIds: readonly number[];
  random: () => number;
}

const places: Gazetteer = {
  resolve(text) {
    const [lat = 0, lng = 0] = text.split(' ').map(Number);
    return { name: text, state: 'CA', zip: null, lat, lng, population: 1, label: text };
  },
  named: () => null,
  suggest: () => [],
};
const deps = { gazetteer: places, now: new Date(), hasTexts: true };
/** Refusals that a race may cause: the alert was deleted, or the plan's alerts are used up. */
const expectedRefusals = ['NOT_FOUND', 'PLAN_LIMIT', 'VALIDATION'];

/** Writers that make random changes: to alerts through their functions, and to listings as intake does. */
export function makeWriters({ db, userIds, random }: RaceParts) {
  const unexpected: unknown[] = [];
  let refused = 0;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const price = () => 1_000 * (1 + Math.floor(random() * 10));
  const model = () => pick([null, 'camry', 'corolla']);
  const location = () => pick(['34 -118', '34.3 -118.2', '35 -118']);
  const criteria = () => ({ model: model(), priceMax: pick([null, 10_000, price()]), location: location() });

  async function anyAlert(): Promise<{ id: number; viewer: { id: number } } | undefined> {
    const row = await db.row('select id, user_id as "userId" from alerts order by random() limit 1');
    return row && { id: row.id, viewer: { id: row.userId } };
  }

  async function changeAlert(): Promise<void> {
    const em = db.orm.em.fork();
    const known = await anyAlert();
    const kind = random();
    try {
      if (!known || kind < 0.3) {
        const input = { make: 'toyota', radius: pick([25, 50]), onlyWithImages: false, ...criteria() };
        await createAlert(em, deps, { id: pick(userIds) }, input);
      } else if (kind < 0.5) await updateAlert(em, deps, known.viewer, known.id, criteria());
      else if (kind < 0.6) await updateAlert(em, deps, known.viewer, known.id, { isActive: false });
      else if (kind < 0.75) await updateAlert(em, deps, known.viewer, known.id, { isActive: true });
      else if (kind < 0.8) await renewAlert(em, known.viewer, known.id);
      else if (kind < 0.88) await deleteAlert(em, known.viewer, known.id);
      else {
        await changeAlerts(db, 'expires_at = now()', { where: 'id = $1', values: [known.id] });
        if (random() < 0.7) await expireAlerts(db.pool);
      }
    } catch (error) {
      if (error instanceof AppError && expectedRefusals.includes(error.code)) refused += 1;
      else unexpected.push(error);
    }
  }

  /** Changes any listing, which is locked first, as intake does. */
  const ofAnyListing = (change: (client: Client, id: number) => Promise<unknown>) =>
    inRetriedTransaction(db.pool, async (client) => {
      const { rows } = await client.query<{ id: number }>('select id from listings order by random() limit 1');
      for (const { id } of rows) {
        await lockCopies(client, 'select from listings where id = $1 for update', [id]);
        await requireCopies(client, [id]);
        await change(client, id);
      }
    });

  async function changeListing(): Promise<void> {
    const kind = random();
    if (kind < 0.5) {
      const at = { lat: 34 + random(), lng: -118 + random() * 0.3 };
      const facts = { year: null, color: null, imageUrl: null, ...at };
      await insertListings(db.pool, [{ make: 'toyota', model: model(), price: pick([null, price()]), ...facts }]);
    } else if (kind < 0.85) {
      const asked = pick([null, price()]);
      await ofAnyListing((client, id) =>
        changeListings(client, "price = $1, status = 'for_sale'", { where: 'id = $2', values: [asked, id] }),
      );
    } else {
      await ofAnyListing((client, id) => endListings(client, `id = ${id}`));
    }
  }

  return { changeAlert, changeListing, unexpected, refused: () => refused };
}

/** Watches until `isOver`. @returns the largest number of active alerts that one user had */
export async function watchLimits(pool: Pool, isOver: () => boolean): Promise<number> {
  let highest = 0;
  while (!isOver()) {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*) from alerts where is_active and expires_at > now() group by user_id',
    );
    highest = Math.max(highest, ...rows.map(({ count }) => count));
    await sleep(5);
  }
  return highest;
}
