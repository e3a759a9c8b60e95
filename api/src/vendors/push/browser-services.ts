/**
 * Source text of a pattern for the addresses that browsers name: the push services of Google (Chrome and most others), Mozilla,
 * Apple and Microsoft. A device may name any address, and one that its owner runs can answer as the owner likes; so what
 * becomes of messages to any other says nothing of LotWatch. The same for JavaScript and PostgreSQL.
 */
export const browserServices =
  '^https://(fcm\\.googleapis\\.com|updates\\.push\\.services\\.mozilla\\.com|[a-z0-9-]{1,63}\\.push\\.apple\\.com|[a-z0-9-]{1,63}\\.notify\\.windows\\.com)/';
