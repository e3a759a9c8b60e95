/** Columns that hold no null, though the database can't know that, by a part of their statement. */
export const NEVER_NULL: readonly { column: string; in: string; because: string }[] = [
  { column: 'username', in: 'insert into second_factors', because: 'the row was inserted for that user' },
  { column: 'status', in: 'from idempotency_keys', because: 'every row is inserted with its answer' },
  { column: 'handedOverAt', in: 'min(least(m.sent_at, t.sent_at, p.sent_at))', because: 'one of them is asked for' },
  { column: 'id', in: '(array_agg(id order by is_past', because: 'a group has a first row' },
  { column: 'used', in: 'coalesce(taken.used', because: 'it is read only where there is a row' },
  { column: 'announced', in: 'bool_or(to_announce)', because: 'what may be null is asked for only of known pairs' },
  { column: 'segments', in: 'update texts', because: 'the claim of a text counts them' },
  { column: 'answer', in: 'run_on_shard', because: 'the function answers rows alone' },
  { column: 'value', in: "settings #>> '{header,value}' is not null", because: 'that is asked for' },
];
