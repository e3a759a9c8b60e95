/** The user of mails that belong to no account: those to the operators, and what visitors write to the support. No account has this id. */
export const NOBODY = 0;

/**
 * The data of each kind of mail except those about matches, beside its alert, user and address. Links are signed when the
 * mail is sent.
 */
export interface MailData {
  /** "Please confirm this address." */
  confirm: Record<string, never>;
  /** To the owner of a confirmed address that somebody tried to register. */
  address_taken: Record<string, never>;
  /** The button 'Send Test Notification'; needs `alertId`. */
  test: Record<string, never>;
  /** Three days before an alert expires; needs `alertId`. */
  reminder: Record<string, never>;
  expired: Record<string, never>;
  /**
   * `passwordMark` changes with password and address, so that a link works once; `isNeeded`: the old password is void.
   */
  reset: { passwordMark: string; isNeeded?: true };
  /** A login in a browser that was not signed in to the account before; `at` is ISO 8601. */
  new_device: { at: string; browser: string | null; system: string | null };
  contact: { name: string; email: string; subject: string; message: string };
  /** To the current address of an account, until the new one is confirmed. */
  address_change: { newAddress: string };
  /** To the former address of an account; null when it has none any more. `canUndo`: the change can be undone. */
  address_changed: { newAddress: string | null; canUndo?: boolean };
  /** `host` is the host of its URL. */
  webhook_paused: { webhookId: number; host: string; because: 'failures' | 'gone' };
  /** An API key was created, replaced or revoked; times are ISO 8601. */
  key_changed: {
    at: string;
    what: 'made' | 'replaced' | 'ended';
    name: string;
    prefix: string;
    mayWrite: boolean;
    worksUntil: string | null;
  };
  /** A webhook was created or deleted, or its URL, events or secret were changed. `host` is the host of its URL. */
  webhook_changed: {
    at: string;
    what: 'added' | 'moved' | 'changed' | 'new_secret' | 'deleted';
    host: string;
    hostBefore: string | null;
    byKey: boolean;
  };
  /** A browser was added that gets the push notifications of the account. */
  push_added: { at: string; browser: string | null; system: string | null };
  /** `ended`: the API keys that were revoked, and the hosts of the webhooks that were deleted, together with it. */
  password_changed: {
    at: string;
    how: 'changed' | 'reset';
    ended?: { apiKeys: { name: string; prefix: string }[]; webhooks: string[] };
  };
  /** The second factor was set up or ended, its recovery codes were replaced, or one of them was used to sign in. */
  second_factor_changed: { at: string; what: 'on' | 'off' | 'new_codes' | 'recovery_code_used' };
  /** The month's texts are used up; `resetsAt` is ISO 8601. */
  text_cap: { cap: number; resetsAt: string };
  /** To the operators: the service's texts of a day are used up; `resetsAt` is ISO 8601. */
  text_limit: { texts: 'match' | 'code'; segments: number; resetsAt: string };
  /** The plan has changed, with its effects on the alerts. */
  plan_changed: {
    fromPlanId: number;
    toPlanId: number;
    event: string;
    paused: number;
    textsOff: number;
    toResume: number;
  };
  /** A plan was cancelled and ends at this time. Times are ISO 8601. */
  plan_ending: { planId: number; endsAt: string };
  /** A payment failed; the plan is kept until this time. */
  payment_failed: { planId: number; graceEndsAt: string };
  /** The grace period ends in two days. */
  grace_ending: { planId: number; graceEndsAt: string };
  /** The account was not used for 24 months and is deleted at this time; ISO 8601. */
  idle_account: { deletesAt: string };
}

/**
 * Kinds of mails and push messages about cars. `digest`: a day's or a flood of them; `summary`: what a rule of the buyer held
 * back; `sold`: cars that the buyer saved or viewed are no longer for sale.
 */
export const carMailKinds = ['match', 'price_drop', 'digest', 'summary', 'sold'] as const;
export type CarMailKind = (typeof carMailKinds)[number];
export const isCarMail = (kind: string): kind is CarMailKind => carMailKinds.some((known) => known === kind);

/** How many mails a mailbox gets on one day (UTC), whoever causes them. */
interface MailCap {
  /** The limit for this kind of mail. */
  ofKind: number;
  /** A mail of this kind is refused once so many of all counted kinds were sent; null: only its own kind counts. */
  ofAll: number | null;
}

/** For mails that anybody can cause, for any address. */
const BY_ANYBODY = 20;
/** For mails that only a signed-in user can cause. It is higher, so that others can't use up the limit. */
const BY_USER = 40;
/** For mails by which a user regains an account. It is the highest, so that no other mails can prevent them. */
const FOR_RECOVERY = 65;

/**
 * The cap of each kind; null: it is not counted. A password reset after an undone change of address counts as `rescue`, as
 * anybody can cause a `reset`.
 */
export const mailCaps = {
  confirm: { ofKind: 10, ofAll: BY_ANYBODY },
  address_taken: { ofKind: 5, ofAll: BY_ANYBODY },
  reset: { ofKind: 10, ofAll: BY_ANYBODY },
  // Test mails must leave room for a password reset.
  test: { ofKind: 10, ofAll: 10 },
  new_device: { ofKind: 10, ofAll: BY_USER },
  key_changed: { ofKind: 20, ofAll: BY_USER },
  webhook_changed: { ofKind: 20, ofAll: BY_USER },
  push_added: { ofKind: 10, ofAll: BY_USER },
  webhook_paused: { ofKind: 10, ofAll: BY_USER },
  text_cap: { ofKind: 5, ofAll: BY_USER },
  plan_changed: { ofKind: 10, ofAll: BY_USER },
  plan_ending: { ofKind: 10, ofAll: BY_USER },
  payment_failed: { ofKind: 5, ofAll: BY_USER },
  grace_ending: { ofKind: 5, ofAll: BY_USER },
  address_change: { ofKind: 5, ofAll: FOR_RECOVERY },
  address_changed: { ofKind: 5, ofAll: FOR_RECOVERY },
  password_changed: { ofKind: 5, ofAll: FOR_RECOVERY },
  second_factor_changed: { ofKind: 5, ofAll: FOR_RECOVERY },
  rescue: { ofKind: 5, ofAll: FOR_RECOVERY },
  // These go to the operators, who can also read them in the database.
  contact: { ofKind: 200, ofAll: null },
  text_limit: { ofKind: 2, ofAll: null },
  // Nobody can request these: the mails of alerts have a throttle of their own, and an idle account gets one.
  match: null,
  price_drop: null,
  digest: null,
  summary: null,
  sold: null,
  reminder: null,
  expired: null,
  idle_account: null,
} as const satisfies Readonly<Record<keyof MailData | CarMailKind | 'rescue', MailCap | null>>;

type KindOfCap = keyof typeof mailCaps;

/** The kinds that are counted. */
export type CountedKind = {
  [K in KindOfCap]: (typeof mailCaps)[K] extends null ? never : K;
}[KindOfCap];

/** Kinds that `enqueueMail` takes; the others are enqueued many at a time. */
export type EnqueuedKind = Extract<keyof MailData, CountedKind>;
