import { currentRequestId } from '../base/request-id.ts';
import { MailDelayed, type Mailer, MailRefused, type OutgoingMail, readAddress } from './mail.ts';
import { makeSendgridService, type SendgridSettings } from './sendgrid-service.ts';

interface MailSettings extends SendgridSettings {
  /** 'LotWatch <alerts@example.com>' */
  from: string;
}

interface VendorFailure {
  code?: number | string;
  message?: string;
  response?: { headers?: Record<string, unknown>; body?: unknown };
}

/** Statuses after which the mail is retried. 401 and 403 come from wrong settings, which the operator corrects. */
const temporary = new Set([401, 403, 408, 425, 429]);

/** Retry-After, or SendGrid's own X-RateLimit-Reset (a Unix time), in milliseconds from now by the answer's own clock. */
function retryAfterMs(headers: Record<string, unknown>): number | null {
  const answeredAt = Date.parse(String(headers.date));
  const now = Number.isNaN(answeredAt) ? Date.now() : answeredAt;
  const after = headers['retry-after'];
  if (typeof after === 'string') {
    if (/^\d+$/.test(after.trim())) return Number(after) * 1000;
    const at = Date.parse(after);
    if (!Number.isNaN(at)) return Math.max(0, at - now);
  }
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  return Number.isFinite(reset) ? Math.max(0, reset * 1000 - now) : null;
}

function translated(failure: VendorFailure): Error {
  const status = typeof failure.code === 'number' ? failure.code : 0;
  const body = failure.response?.body;
  const said = body === undefined ? '' : `: ${JSON.stringify(body).slice(0, 500)}`;
  if (status >= 400 && status < 500 && !temporary.has(status))
    return new MailRefused(`SendGrid ${status}${said}`, failure);
  if (status === 0)
    return new MailDelayed(`SendGrid: ${failure.code ?? failure.message ?? 'no answer'}`, null, failure);
  return new MailDelayed(`SendGrid ${status}${said}`, retryAfterMs(failure.response?.headers ?? {}), failure);
}

/** Sends through SendGrid's official client. SendGrid has no idempotency key, so a lost answer may double a mail. */
export function makeSendgridMailer(settings: MailSettings): Mailer {
  const { service } = makeSendgridService(settings);
  const from = readAddress(settings.from);

  return {
    async send(mail: OutgoingMail): Promise<void> {
      const requestId = currentRequestId();
      const customArgs = { lotwatch_id: mail.id, ...(requestId !== null && { request_id: requestId }) };
      try {
        await service.send({
          personalizations: [{ to: mail.to, customArgs }],
          from,
          ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: mail.headers,
          categories: [mail.kind],
          // Rewritten links would lead buyers, and one-click unsubscribing, through a tracker.
          trackingSettings: {
            clickTracking: { enable: false, enableText: false },
            openTracking: { enable: false },
            subscriptionTracking: { enable: false },
          },
        });
      } catch (error) {
        throw translated(error as VendorFailure);
      }
    },
    wasSent: () => Promise.resolve(null),
  };
}
