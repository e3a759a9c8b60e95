import type { AccountOfLink, ConfirmationState } from '../../accounts/email/addresses.ts';
import type { UndoOutcome } from '../../accounts/email/undo-email-change.ts';
import type { ActionPage } from '../../messages/action-page.ts';
import { type LinkPage, type MailLink, openSettings } from './mail-links.ts';

interface AddressOfLink {
  userId: number;
  email: string;
}

interface UndoLinkParts {
  supportEmail: string;
  readAccount(address: AddressOfLink): Promise<AccountOfLink>;
  /** @throws AppError */
  undo(address: AddressOfLink): Promise<UndoOutcome>;
}

const signIn = { label: 'Sign in', address: '/auth' };

const kept = (email: string): ActionPage => ({
  heading: 'Your address was kept',
  paragraphs: [`Your account has the address ${email}, and no change of it is waiting.`],
  link: openSettings,
});

const cancelled = (email: string): ActionPage => ({
  heading: 'The change is cancelled',
  paragraphs: [
    `Your account keeps the address ${email}.`,
    "If you didn't ask for the change, somebody knows your password: set another one in the settings.",
  ],
  link: openSettings,
});

const putBack = (email: string): ActionPage => ({
  heading: 'Your address is back',
  paragraphs: [
    `Your account has the address ${email} again. It was signed out on every device, and its password no longer works.`,
    `We mailed a link for a new password to ${email}. It works for an hour; after that, ask for another one at the sign-in.`,
  ],
  link: signIn,
});

const done: Record<UndoOutcome, (email: string) => ActionPage> = { kept, cancelled, restored: putBack };

/** The link in mails to a current or former address of an account: it keeps or restores the address. */
export function undoLink(parts: UndoLinkParts): MailLink<'undo-email'> {
  const help = `Write to ${parts.supportEmail} if this is your account.`;
  const over: ActionPage = {
    heading: "This link doesn't work any more",
    paragraphs: ['It works for 7 days, unless an earlier address was restored meanwhile.', help],
  };
  const gone: LinkPage = { status: 410, page: over };
  return {
    expired: () => over,
    failed(code, message) {
      if (code === 'NOT_FOUND') return gone;
      if (code !== 'CONFLICT') return null;
      return { status: 409, page: { heading: "This address can't be restored", paragraphs: [message, help] } };
    },
    async ask({ userId, email }) {
      const account = await parts.readAccount({ userId, email });
      if (account.state === 'kept') return { page: kept(email) };
      if (account.state === 'pending') {
        const page = {
          heading: `Keep ${email}?`,
          paragraphs: [
            `Somebody asked that your account get the address ${account.pendingEmail} instead. This cancels the change.`,
          ],
          button: 'Keep this address',
        };
        return { page };
      }
      if (account.state === 'gone') return gone;
      const page = {
        heading: `Put ${email} back?`,
        paragraphs: [
          'Your account gets this address again, whatever it was changed to.',
          'It is signed out on every device and its password stops working. We mail you a link for a new one.',
        ],
        button: 'Put this address back',
      };
      return { page };
    },
    async act({ userId, email }) {
      return { page: done[await parts.undo({ userId, email })](email) };
    },
  };
}

interface ConfirmLinkParts {
  readConfirmation(address: AddressOfLink): Promise<ConfirmationState>;
  /** @throws AppError */
  confirm(address: AddressOfLink): Promise<void>;
}

/** The link in the mail to a new address, which confirms it. */
export function confirmLink(parts: ConfirmLinkParts): MailLink<'confirm-email'> {
  const sendAgain = "Sign in and choose 'Send again' to get a new link.";
  const failure = (status: number, message: string): LinkPage => ({
    status,
    page: { heading: "This link didn't work", paragraphs: [message, sendAgain], link: openSettings },
  });
  const confirmed: LinkPage = {
    page: {
      heading: 'Email confirmed',
      paragraphs: ['Your email address is confirmed.'],
      link: { label: 'Dashboard', address: '/dashboard' },
    },
  };
  return {
    expired: () => ({
      heading: 'This link has expired',
      paragraphs: [`Links that confirm an address work for 7 days. ${sendAgain}`],
      link: openSettings,
    }),
    failed(code, message) {
      if (code === 'NOT_FOUND') return failure(410, message);
      return code === 'CONFLICT' ? failure(409, message) : null;
    },
    async ask({ userId, email }) {
      const state = await parts.readConfirmation({ userId, email });
      if (state === 'confirmed') return confirmed;
      if (state === 'gone') return failure(410, 'This link is no longer valid.');
      const page = {
        heading: 'Confirm your email',
        paragraphs: [`Is ${email} yours? Once you confirm it, your LotWatch account gets its mails there.`],
        button: 'Confirm this address',
      };
      return { page };
    },
    async act({ userId, email }) {
      await parts.confirm({ userId, email });
      return confirmed;
    },
  };
}
