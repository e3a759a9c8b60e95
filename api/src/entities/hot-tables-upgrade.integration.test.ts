import { expect, it } from 'vitest';
import { makeOldDatabase } from '../../test/database.ts';

it('writes the cells of existing alerts, with their criteria and owners', async () => {
  const { pool, orm, close } = await makeOldDatabase('005-same-car-newest');
  try {
    await pool.query(
      `insert into plans (id, name, description, price, alert_limit, is_popular, features)
       values (1, 'Free', '', 0, 1, false, '{}')`,
    );
    await pool.query("insert into users (username, password_hash) values ('ana', ''), ('bo', '')");
    await pool.query(
      `insert into alerts (user_id, make, location, place, lat, lng, radius, email_notifications, is_active, last_mailed_at)
       values (1, 'toyota', '', '', 34, -118, 50, true, true, now() - interval '1 minute'),
              (2, 'honda', '', '', 34, -118, 50, false, true, now() - interval '1 day'),
              (2, 'honda', '', '', 34, -118, 50, true, false, null)`,
    );
    await pool.query(
      `insert into alert_cells (key, price_max, alert_id, alert_version, price_min, year_min, year_max, color,
                                only_images, x, y, z, cos_radius, expires_at)
       select 7, 9000, id, 3, 100, 1990, 2020, 2, true, 0.1, 0.2, 0.3, 0.4, now() from generate_series(1, 4) id`,
    );
    await pool.query(
      `insert into listings (source, external_id, title, make, facts_hash, image_url)
       values ('lot', '1', '', 'ford', '', 'https://a.example/1.jpg'), ('lot', '2', '', 'ford', '', null)`,
    );
    await orm.migrator.up();
    const cells = await pool.query(
      `select c.alert_id as id, c.user_id as "userId", c.announces, c.price_max as "priceMax", c.cos_radius as "cosRadius",
              c.expires_at = a.expires_at as lives from alert_cells c join alerts a on a.id = c.alert_id order by 1`,
    );
    const same = { priceMax: 9000, cosRadius: 0.4 };
    expect(cells.rows).toEqual([
      { id: 1, userId: 1, announces: true, lives: true, ...same },
      { id: 2, userId: 2, announces: false, lives: true, ...same },
      { id: 3, userId: 2, announces: true, lives: false, ...same },
    ]);
    expect((await pool.query('select count(*) from alert_cells')).rows).toEqual([{ count: 3 }]);
    expect((await pool.query('select alert_id as id from alert_throttles')).rows).toEqual([{ id: 1 }]);
    expect((await pool.query('select has_image from listings order by id')).rows).toEqual([
      { has_image: true },
      { has_image: false },
    ]);
  } finally {
    await close();
  }
});
