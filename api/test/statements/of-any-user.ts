/** By a part of them: statements that ask for rows of these tables without saying whose they are, and why. */
export const ofAnyUser: readonly { tables: readonly string[]; in: string; because: string }[] = [
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
  { tables: ['texts'], in: 'from texts c where c.id = $2', because: "it reads a page of everybody's texts" },
  {
    tables: ['notifications'],
    in: 'from users u where u.id = n.user_id and n.status',
    because: 'an operator may name an alert whose messages do not leave',
  },
  {
    tables: ['mails', 'pushes', 'lost_messages', 'webhooks'],
    in: '($2::int8 is null or alert_id = $2)',
    because: 'an operator may name an alert whose messages do not leave',
  },
];
