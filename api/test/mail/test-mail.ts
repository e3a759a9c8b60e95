import type { OutgoingMail } from '../../src/vendors/mail.ts';

/** @param html may be long, so that writing it is no matter of a moment */
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
