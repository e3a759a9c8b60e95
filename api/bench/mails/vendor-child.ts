import { startSendgridServer } from '../../test/mail/sendgrid-server.ts';

/** A mail vendor in a process of its own, as it would be: says its address, and then on request which ids it took. */
const [key = '', answerMs = '0'] = process.argv.slice(2);
const server = await startSendgridServer(key, { answerMs: Number(answerMs), trusting: true });
process.send?.({ url: server.url });
process.on('message', () => {
  const ids = server.taken.map(({ body }) => body.personalizations[0]?.custom_args?.lotwatch_id ?? '');
  server.taken.length = 0;
  process.send?.({ ids });
});
process.once('disconnect', () => process.exit());
