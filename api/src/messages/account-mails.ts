import { type MailContent, oneLine, plainMail } from './mail-layout.ts';

/** Anyone can have these mails sent to anyone, so that a name that mail programs could show as a link is left out. */
function nameOf(username: string): string {
  return /[.:/@]/.test(username) ? '' : ` ${oneLine(username)}`;
}

/** Asks the owner of an address to confirm it. */
export function confirmMail(mail: { username: string; confirmUrl: string }): MailContent {
  return plainMail({
    subject: 'Confirm your email address',
    heading: 'Confirm your email address',
    paragraphs: [
      `Hello${nameOf(mail.username)}, please confirm that this address is yours. Until then we mail you nothing else.`,
      'The link works for 7 days.',
    ],
    action: { label: 'Confirm this address', address: mail.confirmUrl },
    foot: "If you didn't make a LotWatch account, ignore this mail: nothing more will come.",
  });
}

/** To the owner of a confirmed address that was entered for another account. */
export function addressTakenMail(mail: { username: string; signInUrl: string }): MailContent {
  return plainMail({
    subject: 'You already have a LotWatch account',
    heading: 'You already have an account',
    paragraphs: [
      `Somebody gave this address for another LotWatch account. It belongs to your account${nameOf(mail.username)}, so nothing was changed there.`,
      'If it was you, sign in with that username.',
    ],
    action: { label: 'Sign in', address: mail.signInUrl },
    foot: "If it wasn't you, there is nothing to do.",
  });
}

/** @param mail.isNeeded whether the old password no longer works */
export function resetMail(mail: { username: string; resetUrl: string; isNeeded: boolean }): MailContent {
  if (mail.isNeeded) {
    return plainMail({
      subject: 'Your account needs a new password',
      heading: 'Set a new password',
      paragraphs: [
        `Your LotWatch account${nameOf(mail.username)} has this address again. Its old password no longer works, and it was signed out on every device.`,
        'Set a new password to sign in. The link works once, for an hour; after that, ask for another one at the sign-in.',
      ],
      action: { label: 'Set a new password', address: mail.resetUrl },
      foot: 'You get this because the change of your email address was undone with the link that we mailed here.',
    });
  }
  return plainMail({
    subject: 'Set a new password',
    heading: 'Set a new password',
    paragraphs: [
      `Somebody asked for a new password for your account${nameOf(mail.username)}. The link works once, for an hour.`,
      'Setting it signs you out on every device.',
    ],
    action: { label: 'Set a new password', address: mail.resetUrl },
    foot: "If it wasn't you, ignore this mail: your password stays as it is.",
  });
}

/** To the confirmed address after a sign-in on a new device. @param mail.when such as 'Jan 2, 2027, 3:04 PM EST' */
export function newDeviceMail(mail: {
  username: string;
  when: string;
  browser: string | null;
  system: string | null;
  devicesUrl: string;
  resetUrl: string;
}): MailContent {
  const where = mail.browser ?? 'a browser that did not say which';
  return plainMail({
    subject: 'New sign-in to your account',
    heading: 'Somebody signed in on a new device',
    paragraphs: [
      `Your LotWatch account${nameOf(mail.username)} was signed in to with ${where}${mail.system === null ? '' : ` on ${mail.system}`}, on ${mail.when}.`,
      "If it was you, there is nothing to do. If it wasn't, sign that device out and set a new password: whoever was there knows the one you have.",
    ],
    action: { label: 'See your devices', address: mail.devicesUrl },
    also: { label: 'Set a new password', address: mail.resetUrl },
    foot: 'You get this when your account is signed in to in a browser where it was not before, or whose cookies were deleted.',
  });
}

/** To the current address, before the new one is confirmed. */
export function addressChangeMail(mail: {
  username: string;
  newAddress: string;
  undoUrl: string;
  supportEmail: string;
}): MailContent {
  return plainMail({
    subject: 'Your email address is about to change',
    heading: 'Your email address is about to change',
    paragraphs: [
      `Somebody asked that mails of your LotWatch account${nameOf(mail.username)} go to ${oneLine(mail.newAddress)}. That happens once the new address is confirmed; until then they come here.`,
      "If it wasn't you, keep this address: that stops the change, and undoes it if it has happened by then. The link works for 7 days.",
    ],
    action: { label: 'Keep this address', address: mail.undoUrl },
    foot: `If it was you, there is nothing to do. Questions? Write to ${mail.supportEmail}.`,
  });
}

/**
 * To the former address. `newAddress` is null when the account has no address now, `undoUrl` when this one can't be
 * restored.
 */
export function addressChangedMail(mail: {
  username: string;
  newAddress: string | null;
  undoUrl: string | null;
  supportEmail: string;
}): MailContent {
  const account = `your LotWatch account${nameOf(mail.username)}`;
  const changed =
    mail.newAddress === null
      ? `This address was taken off ${account}. It gets no mail any more.`
      : `Mails of ${account} now go to ${oneLine(mail.newAddress)}. This address gets none any more.`;
  const undo =
    "If it wasn't you, put this address back: that signs the account out on every device, and you set a new password. The link works for 7 days.";
  const words = { subject: 'Your email address was changed', heading: 'Your email address was changed' };
  const foot = `If it wasn't you, write to ${mail.supportEmail}.`;
  if (mail.undoUrl === null) return plainMail({ ...words, paragraphs: [changed], foot });
  const action = { label: 'Put this address back', address: mail.undoUrl };
  return plainMail({ ...words, paragraphs: [changed, undo], action, foot });
}

/** When the texts of a month are used up. @param mail.resetsOn such as 'December 1, 2026' */
export function textCapMail(mail: { username: string; cap: number; resetsOn: string; plansUrl: string }): MailContent {
  return plainMail({
    subject: `This month's ${mail.cap.toLocaleString('en-US')} texts are used up`,
    heading: "This month's texts are used up",
    paragraphs: [
      `Your account${nameOf(mail.username)} has sent the ${mail.cap.toLocaleString('en-US')} texts that its plan has each month. New matches still come by mail, where an alert has that on, and stand on your pages at once.`,
      `Texts start again on ${mail.resetsOn}.`,
    ],
    action: { label: 'See plans with more texts', address: mail.plansUrl },
    foot: 'You get this once, as your alerts would otherwise just fall silent on your phone.',
  });
}

/** To the operators. @param mail.resetsAt such as 'Nov 26, 2026, 00:00' in UTC */
export function textLimitMail(mail: {
  texts: 'match' | 'code';
  segments: number;
  resetsAt: string;
  adminUrl: string;
}): MailContent {
  const what = mail.texts === 'match' ? 'Texts about cars' : 'Texted codes';
  const then =
    mail.texts === 'match'
      ? 'Further ones are not sent; their matches are on the pages of the buyers, and in their mails.'
      : 'Nobody can confirm a phone number until then. If you did not expect so many, look at who requests codes.';
  return plainMail({
    subject: `${what} have reached the limit of the day`,
    heading: `${what} have reached the limit of the day`,
    paragraphs: [
      `All accounts together have used the ${mail.segments.toLocaleString('en-US')} segments of today. ${then}`,
      `Texts start again on ${mail.resetsAt} UTC. The setting SMS_DAILY_LIMIT changes the limit.`,
    ],
    action: { label: 'Open the admin page', address: mail.adminUrl },
    foot: 'You get this at most once a day.',
  });
}

/** To the owner of an account without use for 24 months. @param mail.deletesOn such as 'December 1, 2026' */
export function idleAccountMail(mail: { username: string; deletesOn: string; signInUrl: string }): MailContent {
  return plainMail({
    subject: 'Your LotWatch account will be deleted',
    heading: 'Do you still need your account?',
    paragraphs: [
      `Nobody has signed in to your account${nameOf(mail.username)} for 24 months. We keep no data that nobody needs, so the account and everything in it will be deleted after ${mail.deletesOn}.`,
      'To keep it, sign in once before then.',
    ],
    action: { label: 'Sign in and keep it', address: mail.signInUrl },
    foot: 'You get this mail because this address belongs to a LotWatch account. To let the account go, do nothing.',
  });
}

/** A message of the contact form, to the support address. */
export function contactMail(mail: { name: string; email: string; subject: string; message: string }): MailContent {
  return plainMail({
    subject: `Contact: ${oneLine(mail.subject)}`,
    heading: oneLine(mail.subject),
    paragraphs: [`From ${oneLine(mail.name)} <${oneLine(mail.email)}>`, ...mail.message.split(/\r?\n/).filter(Boolean)],
    foot: 'Sent with the contact form; answer this mail to write back.',
  });
}
