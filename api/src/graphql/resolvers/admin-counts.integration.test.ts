import { expect, it } from 'vitest';
import { setUpApi } from '../../../test/make-app.ts';

const api = setUpApi();

const query = '{ adminCounts { pending approved rejected completed sources quarantine unknownTexts auditEntries } }';

it('counts what each tab of the admin’s page holds, and tells nobody else', async () => {
  const admin = await api.admin();
  const { browser: buyer } = await api.user('curious');
  await api.db.pool.query(
    `insert into deletion_requests (request_id, user_id, username, reason, status)
     select 'DR-AAAAA' || n, case status when 'approved' then 2 else 1 end,
            case when status <> 'completed' then 'x' end, case when status <> 'completed' then 'x' end, status
       from unnest(array['pending', 'approved', 'rejected', 'rejected', 'completed']) with ordinality of (status, n)`,
  );
  await api.db.pool.query("insert into sources (name, kind) values ('lot', 'push'), ('yard', 'push')");
  await api.db.pool.query(
    `insert into quarantine (source, announce, code, reason, record, record_hash)
     select 'lot', true, 'NO_ID', 'The item has no id.', '{}', n::text from generate_series(1, 7) n`,
  );
  await api.db.pool.query(
    `insert into texts (id, kind, user_id, to_phone, status)
     select gen_random_uuid(), 'code', 1, '+15125550123', status from unnest(array['unknown', 'sent']) status`,
  );
  const { count } = await api.db.row('select count(*)::int as count from audit_log');
  expect((await admin.gql(query)).data.adminCounts).toEqual({
    pending: 1,
    approved: 1,
    rejected: 2,
    completed: 1,
    sources: 2,
    quarantine: 7,
    unknownTexts: 1,
    auditEntries: count,
  });
  expect((await buyer.gql(query)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});
