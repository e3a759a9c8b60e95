import { locks, withAdvisoryLock } from '../../src/base/advisory-lock.ts';
import { makePool } from '../../src/base/database.ts';
import { makeOutboxMailer } from '../../src/vendors/outbox-mail.ts';
import { testMail } from './test-mail.ts';

/** Writes mails with the ids 1 … count to an outbox, as one of several workers does, and reports its progress. */
const [url = '', path = '', count = '0'] = process.argv.slice(2);
const pool = makePool(url, 2);
const mailer = await makeOutboxMailer(path, (work) => withAdvisoryLock(pool, locks.outbox, work));
for (let from = 1; from <= Number(count); from += 10) {
  const ids = Array.from({ length: 10 }, (_, at) => `00000000-0000-4000-8000-${String(from + at).padStart(12, '0')}`);
  await Promise.all(ids.map((id) => mailer.send(testMail(id, `<p>${'A car. '.repeat(2_000)}</p>`))));
  process.send?.(from);
}
await mailer.close();
await pool.end();
process.disconnect();
