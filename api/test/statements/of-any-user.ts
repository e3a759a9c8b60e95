/** By a part of them: statements that ask for rows of these tables without naming their users, and why. */
export const ofAnyUser: readonly { tables: readonly string[]; in: string; because: string }[] = [
  {
    tables: ['matches'],
    in: 'and (listing_id, alert_id) > ($1::int8, $2::int8)',
    because: 'it walks all matches in the order of their key',
  },
  {
    tables: ['matches', 'alert_cells'],
    in: 'with recursive walk (alert_id, orphan_of, seen)',
    because: 'it finds whose rows deleted alerts have left',
  },
  {
    tables: ['webhook_deliveries'],
    in: 'with recursive awaited as',
    because: 'it finds which webhooks have messages that wait',
  },
  {
    tables: ['webhook_deliveries'],
    in: "set status = 'expired', settled_at = now()",
    because: 'it ends messages of everybody',
  },
  { tables: ['webhook_events'], in: 'delete from webhook_events where id = any', because: 'it deletes old events' },
  { tables: ['webhooks'], in: 'and id > $1 order by id limit 500', because: 'it walks the secrets of everybody' },
  { tables: ['webhooks'], in: 'secret_ciphertext = $3 where id = $1', because: 'it encrypts what the walk has found' },
  {
    tables: ['webhooks'],
    in: 'and id <> all ($1::int8[])',
    because: 'it pauses what a restored database has too much',
  },
  {
    tables: ['push_subscriptions'],
    in: 'delete from push_subscriptions where id <> all',
    because: 'it deletes what a restored database has too much',
  },
];
