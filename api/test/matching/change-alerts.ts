import { copyToCells } from '../../src/alerts/copy-to-cells.ts';
import { copyToThrottles } from '../../src/notify/copy-to-throttles.ts';
import type { TestDatabase } from '../database.ts';
import { changeEverywhere } from '../everywhere.ts';

type Database = Pick<TestDatabase, 'pool'>;

/** Changes switches and ends of alerts as the product does, which copies them to the cells. @param changes SQL, as after "set" */
export const changeAlerts = (db: Database, changes: string, { where = 'true', values = [] as unknown[] } = {}) =>
  changeEverywhere(
    db,
    `with changed as (update alerts set ${changes} where ${where} returning *) ${copyToCells('changed')}`,
    values,
  );

/** Notes that all alerts were mailed, as the product does. @param ago an interval of SQL */
export const mailAlerts = (db: Database, ago: string) =>
  changeEverywhere(
    db,
    `with mailed as (update alerts set last_mailed_at = now() - interval '${ago}' returning *) ${copyToThrottles('mailed')}`,
  );
