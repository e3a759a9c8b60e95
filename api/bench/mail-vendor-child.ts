import { startSendgridServer } from '../test/mail/sendgrid-server.ts';

/** SendGrid in a process of its own. It sends its address, and on request the ids of the mails accepted since the last request. */
const [key = '', answerMs = '0'] = process.argv.slice(2);
const server = await startSendgridServer(key, { answerMs: Number(answerMs), trusting: true });
process.send?.(server.url);
process.on('message', () => {
  const ids = server.accepted.map(({ body }) => body.personalizations[0]?.custom_args?.lotwatch_id ?? '');
  server.accepted.length = 0;
  process.send?.(ids);
});
process.once('disconnect', () => process.exit());
