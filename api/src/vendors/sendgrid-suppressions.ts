import { AppError } from '../base/errors.ts';
import type { VendorSuppressions } from './mail.ts';
import { makeSendgridService, type SendgridSettings } from './sendgrid-service.ts';

/** Source: SendGrid's Suppressions API. Mails to an address on one of these lists are dropped. */
const lists = [
  'suppression/bounces',
  'suppression/blocks',
  'suppression/invalid_emails',
  'suppression/spam_reports',
  'asm/suppressions/global',
];

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 404;

/** SendGrid's lists of addresses, through its official client. The key needs the permission to delete suppressions. */
export function makeSendgridSuppressions(settings: SendgridSettings): VendorSuppressions {
  const { client } = makeSendgridService(settings);
  return {
    async remove(address) {
      for (const list of lists) {
        try {
          await client.request({ method: 'DELETE', url: `/v3/${list}/${encodeURIComponent(address)}` });
        } catch (error) {
          if (isMissing(error)) continue;
          const message = 'Our mail provider could not be reached. Please try again in a few minutes.';
          throw new AppError('VENDOR', message, { cause: error });
        }
      }
    },
  };
}
