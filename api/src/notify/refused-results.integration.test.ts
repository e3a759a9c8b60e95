import { expect, it } from 'vitest';
import { emailParts, recordingMailer, sendDueMails, setUpMails } from '../../test/mail/mail-fixtures.ts';
import { MailDelayed, MailRefused } from '../vendors/mail.ts';

const { db, all, oneMatch } = setUpMails();

const mails = () => all('select status, error from mails order by alert_id');
const unrecorded = expect.stringContaining('The result could not be recorded');

it.each([
  ['refused', () => new MailRefused('no\0'), 'failed'],
  ['delayed', () => new MailDelayed('later\0', 1_000), 'waiting'],
])(
  'a result that the database refuses is recorded without it, and the others are recorded: %s',
  async (_what, fault, status) => {
    const { alertId } = await oneMatch();
    await oneMatch();
    const mailer = recordingMailer((mail) => {
      if (mail.alertId === alertId) throw fault();
    });
    await sendDueMails(emailParts(db, mailer));
    expect(await mails()).toEqual([
      { status, error: unrecorded },
      { status: 'sent', error: null },
    ]);
  },
);

it('a result that is refused in any form ends as failed', async () => {
  await oneMatch();
  await db.pool.query("alter table mails add constraint never_sent check (status <> 'sent')");
  try {
    const mailer = recordingMailer();
    await sendDueMails(emailParts(db, mailer));
    expect(mailer.mails).toHaveLength(1);
    expect(await mails()).toEqual([{ status: 'failed', error: unrecorded }]);
  } finally {
    await db.pool.query('alter table mails drop constraint never_sent');
  }
});
