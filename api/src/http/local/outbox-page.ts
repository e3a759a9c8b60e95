import express, { type Response, type Router } from 'express';
import { contentPolicy, styleSource } from '../../base/content-policy.ts';
import { pageStyle } from '../../messages/action-page.ts';
import { type Markup, markup } from '../../messages/mail-layout.ts';
import { type OutboxLine, readOutbox } from '../../vendors/outbox-mail.ts';

const SHOWN = 100;

const ownPolicy = contentPolicy({ 'style-src': [styleSource(pageStyle)] });
/** Mails have inline styles, which mail programs require, and photos. */
const mailPolicy = contentPolicy({ 'style-src': ["'unsafe-inline'"], 'img-src': ['*', 'data:'] });

function send(response: Response, status: number, html: string, policy = ownPolicy): void {
  response
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': policy,
    })
    .send(html);
}

function page(title: string, body: Markup): string {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title><style>${{ markup: pageStyle }}</style></head>
<body><main class="wide"><p class="brand"><span class="mark" aria-hidden="true"></span>LotWatch</p>
<section>${body}</section></main></body></html>`.markup;
}

function row(line: OutboxLine): Markup {
  return markup`<li><a href="/dev/outbox/${line.id}">${line.subject || line.text.slice(0, 80)}</a><br>
<span class="muted">${line.kind} to ${line.to} · <time>${line.sentAt.replace('T', ' ').slice(0, 19)}</time> · <a href="/dev/outbox/${line.id}/text">as text</a></span></li>`;
}

/** `/dev/outbox`: shows the local outbox, newest first. It must only be mounted with the development pages. */
export function outboxPage(path: string): Router {
  const router = express.Router();
  const find = async (id: string) => (await readOutbox(path, Number.MAX_SAFE_INTEGER)).find((line) => line.id === id);
  const missing = page('Not found', markup`<h1>No such mail</h1><p><a href="/dev/outbox">All mails</a></p>`);

  router.get('/dev/outbox', async (_request, response) => {
    const lines = await readOutbox(path, SHOWN);
    const list =
      lines.length === 0 ? markup`<p class="muted">No mail yet.</p>` : markup`<ul class="mails">${lines.map(row)}</ul>`;
    const body = markup`<h1>Outbox</h1><p class="muted">Test mode: mail stays on this machine. The newest ${SHOWN} are shown.</p>${list}`;
    send(response, 200, page('Outbox', body));
  });
  router.get('/dev/outbox/:id', async (request, response) => {
    const line = await find(request.params.id);
    send(response, line ? 200 : 404, line?.html || missing, line?.html ? mailPolicy : ownPolicy);
  });
  router.get('/dev/outbox/:id/text', async (request, response) => {
    const line = await find(request.params.id);
    const headers = line ? Object.entries({ To: line.to, Subject: line.subject, ...line.headers }) : [];
    const shown = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
    const html = line ? page(line.subject, markup`<pre>${shown}\n\n${line.text}</pre>`) : missing;
    send(response, line ? 200 : 404, html);
  });
  return router;
}
