import { expect, it } from 'vitest';
import { type Browser } from '../../../test/browser.ts';
import { setUpApi } from '../../../test/make-app.ts';

let admin: Browser;
const api = setUpApi({}, async () => {
  admin = await api.admin();
  // Several were claimed at the same time, between which a page must not end.
  await api.db.pool.query(
    `insert into texts (id, kind, user_id, to_phone, status, error, created_at)
     select gen_random_uuid(), 'code', 1, '+15125550123', case when n <= 250 then 'unknown' else 'sent' end, n::text,
            now() - n / 10 * interval '1 minute'
       from generate_series(1, 260) n`,
  );
});

const query =
  'query ($first: Int, $after: String) { unknownTexts(first: $first, after: $after) { nodes { id reason to } endCursor hasMore total } }';

it('lists every text with an unknown outcome once, in pages, with the total', async () => {
  const pages: { nodes: { id: string; reason: string; to: string }[]; hasMore: boolean }[] = [];
  for (let after: string | null = null; pages.at(-1)?.hasMore !== false; ) {
    const { data } = await admin.gql(query, { first: 99, after });
    expect(data.unknownTexts.total).toBe(250);
    pages.push(data.unknownTexts);
    after = data.unknownTexts.endCursor;
  }
  expect(pages.map(({ nodes }) => nodes.length)).toEqual([99, 99, 52]);
  const nodes = pages.flatMap((page) => page.nodes);
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(250);
  const minutes = nodes.map(({ reason }) => Math.floor(Number(reason) / 10));
  expect(minutes).toEqual(minutes.toSorted((a, b) => a - b));
  expect(nodes[0]?.to).toBe('••• 0123');
  expect((await admin.gql(query)).data.unknownTexts.nodes).toHaveLength(20);
});

it('refuses an invalid page size or cursor', async () => {
  for (const [given, field] of [
    [{ first: 0 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ after: "1' or true" }, 'after'],
  ] as const) {
    const { errors } = await admin.gql(query, given);
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', fields: { [field]: expect.any(String) } });
  }
});
