import { expect, it, onTestFinished } from 'vitest';
import { copyTestDatabase, makeTestDatabase, onCluster, openDatabase } from '../../test/database.ts';
import { insertAlert, insertPlan, insertUser } from '../../test/mail/mail-fixtures.ts';
import { disableOldTriggers } from '../../test/schema/triggers.ts';
import { channels } from '../base/channels.ts';
import { startListener } from '../base/listener.ts';
import { silentLog } from '../base/log.ts';
import { keepDecisions, readDecisions } from './keep-decisions.ts';

// The command that keeps decisions refuses distributed tables.
it.skipIf(onCluster)(
  'keeps what people ended or changed for their safety in the interval that a restore forgets',
  async () => {
    const before = await makeTestDatabase();
    await insertPlan(before.pool);
    const userId = await insertUser(before.pool);
    const erased = await insertUser(before.pool);
    const [off, deleted, kept] = [
      await insertAlert(before.pool, userId),
      await insertAlert(before.pool, userId),
      await insertAlert(before.pool, userId, { text_notifications: true }),
    ];
    await insertAlert(before.pool, erased);
    await before.rows(
      `insert into alert_cells (key, price_max, alert_id, alert_version, user_id, price_min, year_min, year_max, color,
                              only_images, announces, texts, pushes, asked, x, y, z, cos_radius, expires_at)
     select 1, 1, id, version, user_id, 0, 0, 0, 0, false, true, text_notifications, true, 0, 0, 0, 0, 0, expires_at from alerts`,
    );
    await before.rows(
      `insert into session (sid, sess, expire) values ('stolen', json_build_object('userId', $1::text), now() + interval '1 day')`,
      [String(userId)],
    );
    for (const prefix of ['revoked', 'good'])
      await before.rows(
        `insert into api_keys (user_id, name, prefix, secret_hash, scopes) values ($1, $2, $2, '', '{}')`,
        [userId, prefix],
      );
    await before.rows("insert into second_factors (user_id, secret_ciphertext) values ($1, 'old')", [userId]);
    await before.close();

    const restored = await copyTestDatabase(before.url);
    await disableOldTriggers(restored.pool);
    const ahead = await openDatabase(before.url);
    onTestFinished(async () => {
      await restored.close();
      await ahead.close();
    });
    await ahead.rows("update users set password_hash = 'new' where id = $1", [userId]);
    await ahead.rows("update api_keys set revoked_at = now() where prefix = 'revoked'");
    await ahead.rows('delete from second_factors');
    await ahead.rows(
      "insert into second_factors (user_id, secret_ciphertext, confirmed_at) values ($1, 'new', now())",
      [userId],
    );
    await ahead.rows('update alerts set email_notifications = false where id = $1', [off]);
    await ahead.rows('delete from alerts where id = $1 or user_id = $2', [deleted, erased]);
    await ahead.rows('delete from users where id = $1', [erased]);

    const heard: string[] = [];
    const listener = await startListener(restored.url, silentLog);
    onTestFinished(() => listener.close());
    await listener.on(channels.keys, (user) => heard.push(user));
    await keepDecisions(restored.pool, await readDecisions(ahead.pool), [erased]);
    await expect.poll(() => heard).toEqual([String(userId)]);
    const state = async (sql: string) => restored.rows(sql);
    expect(await state('select sid from session')).toEqual([]);
    expect(await state('select id::int4, password_hash as hash from users')).toEqual([{ id: userId, hash: 'new' }]);
    expect(await state('select prefix from api_keys where revoked_at is null')).toEqual([{ prefix: 'good' }]);
    expect(await state('select secret_ciphertext as secret from second_factors')).toEqual([{ secret: 'new' }]);
    const alerts =
      'select id::int4, is_active as active, email_notifications as mails, text_notifications as texts from alerts order by id';
    expect(await state(alerts)).toEqual([
      { id: off, active: true, mails: false, texts: false },
      { id: deleted, active: false, mails: true, texts: false },
      { id: kept, active: true, mails: true, texts: true },
    ]);
    const cells = `select alert_id::int4 as id, expires_at > now() as active, announces as mails, texts from alert_cells order by 1`;
    expect(await state(cells)).toEqual(await state(alerts));
  },
);
