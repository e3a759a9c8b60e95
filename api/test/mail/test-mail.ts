import type { OutgoingMail } from '../../src/vendors/mail.ts';

/** @param html a long text makes writing the mail slow */
export const testMail = (id: string, html = '<p>A car</p>'): OutgoingMail => ({
  id,
  kind: 'match',
  to: 'ada@example.com',
  replyTo: null,
  subject: 'A car',
  text: 'A car',
  html,
  headers: {},
  alertId: 1,
  matchIds: [],
  notificationIds: [],
});
