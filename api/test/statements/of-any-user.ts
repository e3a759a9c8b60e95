/** By a part of them: statements that ask for rows of these tables without naming their users, and why. */
export const ofAnyUser: readonly { tables: readonly string[]; in: string; because: string }[] = [
  {
    tables: ['matches'],
    in: 'and (listing_id, alert_id) > ($1::int8, $2::int8)',
    because: 'it walks all matches in the order of their key',
  },
  {
    tables: ['alerts', 'matches', 'alert_cells', 'notifications'],
    in: 'with recursive walk (alert_id, orphan_of, seen)',
    because: 'it finds whose rows deleted alerts have left',
  },
  {
    tables: ['webhook_deliveries', 'webhooks'],
    in: 'with recursive awaited as',
    because: 'it finds which webhooks have messages that wait',
  },
  {
    tables: ['webhook_deliveries'],
    in: "set status = 'expired', settled_at = now()",
    because: 'it ends messages of everybody',
  },
  {
    tables: ['mails'],
    in: "and id <> all($2::uuid[])\n            and (select require_sendable('email'))",
    because: 'it claims what is due of everybody',
  },
  {
    tables: ['texts'],
    in: 'from texts where id = $1 and (sid is null or sid = $2)',
    because: 'the vendor reports of a text by its id',
  },
  {
    tables: ['mails'],
    in: 'm.to_address as "to", u.email, m.sent_at as "sentAt"',
    because: 'the vendor reports of mails by their ids',
  },
  {
    tables: ['notifications'],
    in: 'from users u where u.id = n.user_id and n.status',
    because: 'an operator may name an alert whose messages do not leave',
  },
  { tables: ['texts'], in: 'from texts c where c.id = $2', because: "it reads a page of everybody's texts" },
  {
    tables: ['mails', 'pushes'],
    in: '($2::int8 is null or alert_id = $2)',
    because: 'an operator may name an alert whose messages do not leave',
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
