import { expect, it } from 'vitest';
import { makeOldDatabase } from '../../test/database.ts';

it('keeps all rows when columns and tables are renamed, and when the migration is undone', async () => {
  const { pool, orm, close } = await makeOldDatabase('037-second-factors');
  const columnsOf = async () =>
    (
      await pool.query<{ name: string }>(
        `select table_name || '.' || column_name as name from information_schema.columns
          where table_schema = 'public' order by 1`,
      )
    ).rows.map(({ name }) => name);
  try {
    await pool.query(
      `insert into plans (id, name, description, price, alert_limit, is_popular, features)
       values (1, 'Free', '', 0, 1, false, '{}')`,
    );
    await pool.query("insert into users (username, password_hash) values ('ana', '')");
    await pool.query(
      `insert into alerts (user_id, make, location, place, lat, lng, radius, look_back_asked_at)
       values (1, 'toyota', '', '', 34, -118, 50, '2026-01-02')`,
    );
    await pool.query("update alerts set last_mailed_at = '2026-01-02'");
    await pool.query("insert into second_factors (user_id, secret_box) values (1, 'v1.a')");
    await pool.query("insert into sources (name, kind, header_box) values ('lot', 'vehicle-feed', 'v1.b')");
    await pool.query(
      `insert into webhooks (user_id, url, events, secret_box, previous_secret_box) values (1, '', '{}', 'v1.c', 'v1.d')`,
    );
    await pool.query("insert into billing_farewells (customer_id) values ('cus_1')");
    const before = await columnsOf();
    await orm.migrator.up({ to: '038-plain-names' });

    const { rows } = await pool.query(
      `select f.secret_ciphertext as factor, s.header_ciphertext as header, w.secret_ciphertext as secret,
              w.previous_secret_ciphertext as previous, d.customer_id as customer, t.alert_id as "throttled",
              a.backfill_requested_at = '2026-01-02' as "sameTime"
         from second_factors f, sources s, webhooks w, customer_deletions d, alert_throttles t, alerts a`,
    );
    expect(rows).toEqual([
      {
        factor: 'v1.a',
        header: 'v1.b',
        secret: 'v1.c',
        previous: 'v1.d',
        customer: 'cus_1',
        throttled: 1,
        sameTime: true,
      },
    ]);
    // The triggers still maintain their copies.
    await pool.query('update alerts set last_mailed_at = null');
    expect((await pool.query('select from alert_throttles')).rowCount).toBe(0);
    await pool.query("update alerts set last_mailed_at = '2026-01-03'");
    await pool.query('delete from alerts');
    expect((await pool.query('select from alert_throttles')).rowCount).toBe(0);
    expect((await pool.query('select alert_id as id from former_alerts')).rows).toEqual([{ id: 1 }]);
    await expect(pool.query('delete from audit_log')).rejects.toThrow('append-only');

    await orm.migrator.down();
    expect(await columnsOf()).toEqual(before);
    await pool.query('update users set plan_id = 1');
  } finally {
    await close();
  }
});

it('renames jobs in the job store, even if a worker of the new version has already scheduled them', async () => {
  const { pool, orm, close } = await makeOldDatabase('038-plain-names');
  const names = async () =>
    (await pool.query<{ name: string }>('select name from agenda_jobs order by 1')).rows.map(({ name }) => name);
  try {
    for (const name of ['look-back', 'settle-payments', 'process-payments', 'clean-up'])
      await pool.query("insert into agenda_jobs (name, type) values ($1, 'single')", [name]);
    await orm.migrator.up({ to: '039-job-names' });
    expect(await names()).toEqual(['backfill-alerts', 'clean-up', 'process-payments']);
    await orm.migrator.down();
    expect(await names()).toEqual(['clean-up', 'look-back', 'settle-payments']);
  } finally {
    await close();
  }
});
