import { mayBeTexted } from './notification-rules.ts';

/** How matches are announced on a channel. */
interface MatchNotices {
  /** The column of `alerts` by which the owner asks for them, and its copy in `alert_cells`. */
  flag: string;
  cell: string;
  /** SQL: what the owner `u`, a row of `users`, needs beyond that. The claim asks it again. */
  owner?: string;
  /** SQL: what the owner `u` needs so that a message can arrive. Without it notifications are written, and wait or are dropped. */
  receiver?: string;
  /** SQL: when something was last sent for an alert, as one column; no row or null: nothing recently. */
  lastSentAt: (alertId: string, userId: string) => string;
}

interface DeliveryChannel {
  /** The job that delivers, and the payload of the NOTIFY that wakes it. */
  job: string;
  wakeUp: string;
  /** Whether deliveries go on after the job has ended, so that a slow receiver delays nobody else. */
  isInBackground?: boolean;
  /** null: it delivers something else than notifications of matches. */
  matches: MatchNotices | null;
}

/**
 * Every channel by which something is delivered. Its job follows from its row, and so do the notifications that the search
 * writes; the check of `notifications.channel` names those that have any.
 */
export const deliveryChannels = {
  email: {
    job: 'send-notifications',
    wakeUp: 'send',
    matches: {
      flag: 'email_notifications',
      // The copy of email_notifications; the column's name is older than texts.
      cell: 'announces',
      receiver: 'u.email is not null',
      // Only recently mailed alerts have a row there.
      lastSentAt: (alertId, userId) =>
        `select last_mailed_at from alert_throttles where alert_id = ${alertId} and user_id = ${userId}`,
    },
  },
  // Texts have a minimum interval of their own, whatever was mailed.
  sms: {
    job: 'send-texts',
    wakeUp: 'send',
    matches: {
      flag: 'text_notifications',
      cell: 'texts',
      owner: mayBeTexted('u'),
      lastSentAt: (alertId, userId) =>
        `select last_texted_at from alerts where id = ${alertId} and user_id = ${userId}`,
    },
  },
  push: {
    job: 'send-pushes',
    wakeUp: 'send',
    // Push services are many, and one that does not answer must delay no other.
    isInBackground: true,
    matches: {
      flag: 'push_notifications',
      cell: 'pushes',
      receiver: 'exists (select from push_subscriptions s where s.user_id = u.id)',
      lastSentAt: (alertId, userId) =>
        `select last_pushed_at from alerts where id = ${alertId} and user_id = ${userId}`,
    },
  },
  webhook: { job: 'deliver-webhooks', wakeUp: 'deliver', isInBackground: true, matches: null },
} as const satisfies Readonly<Record<string, DeliveryChannel>>;

export type ChannelName = keyof typeof deliveryChannels;

/** All of them, under one type. */
export const channelList: readonly (DeliveryChannel & { name: ChannelName })[] = Object.entries(deliveryChannels).map(
  ([name, channel]) => ({ name: name as ChannelName, ...channel }),
);

/** The names of the channels on which matches are announced. */
export type MatchChannelName = {
  [Name in ChannelName]: (typeof deliveryChannels)[Name]['matches'] extends null ? never : Name;
}[ChannelName];

/** The channels on which matches are announced. */
export const matchChannels = channelList.flatMap(({ name, matches }) =>
  matches ? [{ name: name as MatchChannelName, ...matches }] : [],
);
