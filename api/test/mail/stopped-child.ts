import { type FileHandle, open } from 'node:fs/promises';
import { locks, withAdvisoryLock } from '../../src/base/advisory-lock.ts';
import { makePool } from '../../src/base/database.ts';
import { makeOutboxMailer } from '../../src/vendors/outbox-mail.ts';
import { testMail } from './test-mail.ts';

/** Sends one mail, and stops itself after it has checked that the outbox lacks the mail and before it writes it. */
const [url = '', path = '', silentMs = '0'] = process.argv.slice(2);
const pool = makePool(url, 2);
const mailer = await makeOutboxMailer(path, (work) => withAdvisoryLock(pool, locks.outbox, work, Number(silentMs)));

const file = await open(path, 'a+');
const handles = Object.getPrototypeOf(file) as FileHandle;
await file.close();
const { stat } = handles;
let checks = 0;
handles.stat = async function stopping(this: FileHandle) {
  const stats = await stat.call(this);
  checks += 1;
  if (checks === 2) {
    await new Promise((resolve) => process.send?.('stopping', resolve));
    process.kill(process.pid, 'SIGSTOP');
  }
  return stats;
} as typeof stat;

await mailer.send(testMail('00000000-0000-4000-8000-000000000001'));
process.send?.('sent');
await mailer.close();
await pool.end();
process.disconnect();
