import { expect, it } from 'vitest';
import { interceptAllClients } from '../../lab/intercept-statements.ts';
import { createAlert } from '../../src/alerts/create-alert.ts';
import { deleteAlert } from '../../src/alerts/delete-alert.ts';
import { renewAlert, resumeAlerts } from '../../src/alerts/renew-alert.ts';
import { updateAlert } from '../../src/alerts/update-alert.ts';
import { setUpDatabase } from '../database.ts';
import { insertUsers } from '../matching/match-rows.ts';
import { Describer } from './describe/describe-statement.ts';

let viewer = { id: 0 };
const db = setUpDatabase(async () => {
  const [id = 0] = await insertUsers(db.pool, 1);
  viewer = { id };
});

const place = { name: 'Austin', state: 'TX', zip: null, lat: 30.27, lng: -97.74, population: 1, label: 'Austin, TX' };
const gazetteer = { resolve: () => place, named: () => null, suggest: () => [] };
const deps = { gazetteer, now: new Date(), hasTexts: true };

it('the ORM names the user of the alerts that it reads, changes and deletes', async () => {
  const texts = new Set<string>();
  const end = interceptAllClients((_client, statement, send) => {
    texts.add(statement.text);
    return send(statement);
  });
  const em = () => db.orm.em.fork();
  try {
    const camry = { make: 'toyota', model: 'camry', location: 'Austin', radius: 50 };
    const { id } = await createAlert(em(), deps, viewer, camry);
    await createAlert(em(), deps, viewer, camry);
    await updateAlert(em(), deps, viewer, id, { priceMax: 9_000 });
    await renewAlert(em(), viewer, id);
    await db.pool.query('update alerts set is_active = false, paused_by_plan_at = now()');
    expect(await resumeAlerts(em(), viewer)).toHaveLength(2);
    expect(await db.rows('select is_active, paused_by_plan_at from alerts')).toEqual(
      Array(2).fill({ is_active: true, paused_by_plan_at: null }),
    );
    await deleteAlert(em(), viewer, id);
  } finally {
    end();
  }
  const ofAlerts = [...texts].filter((text) => text.includes('"alerts"'));
  for (const act of ['insert into', 'select', 'update', 'delete from'])
    expect(
      ofAlerts.some((text) => text.startsWith(act)),
      act,
    ).toBe(true);
  const describer = await Describer.open(db.url);
  try {
    for (const text of texts) expect((await describer.describe(text)).unboundUsers, text).toEqual([]);
  } finally {
    await describer.close();
  }
});
