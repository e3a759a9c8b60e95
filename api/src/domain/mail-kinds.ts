/**
 * Every kind of mail but those about matches, with the data that it needs beyond its alert, user and address. Links are
 * signed when it is sent.
 */
export interface MailData {
  /** "Please confirm this address." */
  confirm: Record<string, never>;
  /** To the owner of a confirmed address that somebody tried to register. */
  address_taken: Record<string, never>;
  /** 'Send Test Notification': needs `alertId`. */
  test: Record<string, never>;
  /** Three days before the end: needs `alertId`. */
  reminder: Record<string, never>;
  expired: Record<string, never>;
  /** `passwordMark` changes with password and address, so that a link works once; `isNeeded`: the old one is void. */
  reset: { passwordMark: string; isNeeded?: true };
  /** A login in a browser that was not signed in to the account before; `at` is ISO 8601. */
  new_device: { at: string; browser: string | null; system: string | null };
  contact: { name: string; email: string; subject: string; message: string };
  /** To the address that an account has, before the new one confirms itself. */
  address_change: { newAddress: string };
  /** To the address that an account had; null when there is none any more. `canUndo`: it may be put back. */
  address_changed: { newAddress: string | null; canUndo?: boolean };
  /** `host` of its address. */
  webhook_paused: { webhookId: number; host: string; because: 'failures' | 'gone' };
  /** An API key was made, replaced or ended; times as ISO 8601. */
  key_changed: {
    at: string;
    what: 'made' | 'replaced' | 'ended';
    name: string;
    prefix: string;
    mayWrite: boolean;
    worksUntil: string | null;
  };
  /** A webhook was made, deleted, or changed in its URL, events or secret. `host` is the host of its URL. */
  webhook_changed: {
    at: string;
    what: 'added' | 'moved' | 'changed' | 'new_secret' | 'deleted';
    host: string;
    hostBefore: string | null;
    byKey: boolean;
  };
  /** `ended`: keys, and hosts of webhooks, that were ended with it. */
  password_changed: {
    at: string;
    how: 'changed' | 'reset';
    ended?: { apiKeys: { name: string; prefix: string }[]; webhooks: string[] };
  };
  /** The second factor was set up or ended, its recovery codes were replaced, or one of them was used to sign in. */
  second_factor_changed: { at: string; what: 'on' | 'off' | 'new_codes' | 'recovery_code_used' };
  /** The month's texts are used up; `resetsAt` is ISO 8601. */
  text_cap: { cap: number; resetsAt: string };
  /** The plan has changed, with its effects on the alerts. */
  plan_changed: {
    fromPlanId: number;
    toPlanId: number;
    event: string;
    paused: number;
    textsOff: number;
    toResume: number;
  };
  /** A cancelled plan runs until then. Times as ISO 8601. */
  plan_ending: { planId: number; endsAt: string };
  /** A payment failed; the plan is kept until then. */
  payment_failed: { planId: number; graceEndsAt: string };
  /** The same, two days before. */
  grace_ending: { planId: number; graceEndsAt: string };
  /** Nobody was there for 24 months; ISO 8601. */
  idle_account: { deletesAt: string };
}

/** How many mails a mailbox gets on one day (UTC), whoever asks for them and from wherever. */
interface MailCap {
  /** Of this kind. */
  ofKind: number;
  /** It leaves while fewer mails of all counted kinds have left; null where it is counted by itself alone. */
  ofAll: number | null;
}

/** Strangers bring these about, for any address. */
const OF_STRANGERS = 20;
/** The account's owner does, or somebody who got into the account: strangers must not use up their room. */
const OF_OWNERS = 40;
/** What takes an account back: nothing else that is counted may keep it from leaving. */
const OF_RESCUES = 65;

/**
 * The cap of each kind; null: it is not counted. A reset that follows an undo is counted as `rescue`, apart from those that
 * anybody can ask for.
 */
export const mailCaps = {
  confirm: { ofKind: 10, ofAll: OF_STRANGERS },
  address_taken: { ofKind: 5, ofAll: OF_STRANGERS },
  reset: { ofKind: 10, ofAll: OF_STRANGERS },
  // Samples must leave room for a reset.
  test: { ofKind: 10, ofAll: 10 },
  new_device: { ofKind: 10, ofAll: OF_OWNERS },
  key_changed: { ofKind: 20, ofAll: OF_OWNERS },
  webhook_changed: { ofKind: 20, ofAll: OF_OWNERS },
  webhook_paused: { ofKind: 10, ofAll: OF_OWNERS },
  text_cap: { ofKind: 5, ofAll: OF_OWNERS },
  plan_changed: { ofKind: 10, ofAll: OF_OWNERS },
  plan_ending: { ofKind: 10, ofAll: OF_OWNERS },
  payment_failed: { ofKind: 5, ofAll: OF_OWNERS },
  grace_ending: { ofKind: 5, ofAll: OF_OWNERS },
  address_change: { ofKind: 5, ofAll: OF_RESCUES },
  address_changed: { ofKind: 5, ofAll: OF_RESCUES },
  password_changed: { ofKind: 5, ofAll: OF_RESCUES },
  second_factor_changed: { ofKind: 5, ofAll: OF_RESCUES },
  rescue: { ofKind: 5, ofAll: OF_RESCUES },
  // All of them go to those who run LotWatch, who read what is not mailed in the database.
  contact: { ofKind: 200, ofAll: null },
  // Nobody can ask for these: an alert brings about a few at its own pace, and an idle account gets one.
  match: null,
  reminder: null,
  expired: null,
  idle_account: null,
} as const satisfies Readonly<Record<keyof MailData | 'match' | 'rescue', MailCap | null>>;

type KindOfCap = keyof typeof mailCaps;

/** By what mails are counted. */
export type CountedKind = {
  [K in KindOfCap]: (typeof mailCaps)[K] extends null ? never : K;
}[KindOfCap];

/** Kinds that `enqueueMail` takes; the others are enqueued many at a time. */
export type EnqueuedKind = Extract<keyof MailData, CountedKind>;
