import type { ShardOptions } from './shards.ts';

interface OnShards extends ShardOptions {
  /** Whether it changes or locks rows. */
  changes?: boolean;
  /**
   * The numbers of parameters that are lists with an entry for each row, where it makes rows of them and names their users. Each
   * shard gets the entries of its users.
   */
  split?: readonly number[];
  /**
   * Whether it runs on the coordinator and its copies of tables: it only locks their rows, or reads them beside tables that are
   * there alone, and changes those.
   */
  copies?: boolean;
  /** The number of the parameter that says how many rows are claimed. Each shard claims an equal part, rounded up. */
  limit?: number;
  /** A column with the place at which the next scan begins: the least of those of all shards. */
  place?: string;
  /** A column with a number by which the rows of all shards are put in one order. */
  order?: string;
}

type Values = readonly unknown[];

/** The users in the parameter of this number, from 1: a list, or one. */
const at =
  (place: number) =>
  (values: Values): readonly number[] =>
    [values[place - 1]].flat() as number[];

/** The users in a parameter with alerts as JSON. */
const ofAlerts = ([alerts]: Values): readonly number[] =>
  (JSON.parse(alerts as string) as { userId: number }[]).map(({ userId }) => userId);

const changes = (users?: ShardOptions['users'], ...times: string[]): OnShards => ({
  changes: true,
  ...(users && { users }),
  times,
});
const reads = (users: ShardOptions['users'], ...times: string[]): OnShards => ({ ...(users && { users }), times });

const locksCopies = (...times: string[]): OnShards => ({ copies: true, times });

const ofRetry = ['createdAt', 'nextTryAt', 'snoozedUntil', 'now'];
const ofWaiting = ['createdAt', 'dueAt', 'lastSentAt', 'snoozedUntil', 'now'];
const ofAlert = ['lockedAt', 'snoozedUntil', 'lastMailedAt', 'emailConfirmedAt'];

/**
 * The statements that run on each shard where the tables are distributed, by their names. They are about rows of many users in
 * ways that Citus refuses, or for which it would collect the rows at the coordinator. All others go to it as they are: those of
 * one user, whom they name as a parameter wherever they read or write, and simple ones about all.
 */
export const shardStatements: Readonly<Record<string, OnShards>> = {
  // Locks of listings and users, of which every server has a copy.
  'match-listings-claim': locksCopies(),
  'match-listings-claim-learned': locksCopies(),
  'lock-known-listings': locksCopies(),
  'lock-differing-listings': locksCopies(),
  'lock-listings-of-cars': locksCopies(),
  'lock-absent-listings': locksCopies(),
  'lock-listings-to-write': locksCopies(),
  'lock-compared-by-photo': locksCopies('seenAt', 'lastSeenAt'),
  'lock-quarantined-listings': locksCopies(),
  'find-unseen': locksCopies(),
  'purge-claim': locksCopies(),
  'price-bands-lock': locksCopies(),
  'lock-plan-use': locksCopies(),
  'lock-reader': locksCopies(),
  // Payments.
  'lock-account': locksCopies(),
  'insert-checkout': locksCopies(),
  'insert-customer': { ...locksCopies(), silent: true },
  'schedule-check': locksCopies(),
  // Matching.
  'match-listings-fresh': changes(),
  'match-listings-again': changes(),
  'match-alerts-claim': changes(),
  'match-alerts-fresh': changes(ofAlerts),
  'match-alerts-again': changes(ofAlerts),
  'match-alerts-clear': changes(at(3)),
  'announce-ended': changes(),
  'reevaluate-pairs': changes(at(5)),
  'dismiss-left-out': changes(at(3)),
  'dismiss-pairs': changes(at(3)),
  'lock-left-out': changes(at(1)),
  'discard-notifications': changes(),
  'discard-mails': { ...changes(), silent: true },
  'discard-pushes': { ...changes(), silent: true },
  'discard-webhook-deliveries': changes(),
  'restore-pairs': changes(at(4)),
  'restore-left-out': { ...changes(at(4)), silent: true },
  // Alerts.
  'expire-alerts': changes(),
  'enqueue-expiry-mails': changes(at(4)),
  'enqueue-reminders': changes(),
  // Clean-ups, of which each shard does a part at a time.
  'pages-of-users': {},
  'pages-of-copies': locksCopies(),
  'lock-old-of-copies': locksCopies(),
  'delete-old-of-coordinator': locksCopies(),
  'delete-old-of-users': changes(),
  'delete-next-of-users': changes(),
  'trim-noted': changes(),
  'trim-lock': changes(at(2)),
  'trim-there': changes(at(2)),
  'trim-lock-beyond': changes(at(3)),
  'trim-delete': changes(at(4)),
  'orphans-next': {},
  'orphans-lock': changes(at(2)),
  'orphans-delete': changes(),
  'round-distances': { ...changes(at(3)), silent: true },
  'purge-matched': {},
  'relist-lock': changes(),
  'relist-drop': { ...changes(), silent: true },
  // Cars and their photos.
  'photos-claim': locksCopies(),
  'price-bands-asked': {},
  'load-listing-notes': { ...reads(at(1)), split: [1, 2] },
  // Users.
  'take-api-requests': locksCopies(),
  // Citus finds no account by a column of the inserted row.
  'start-second-factor': locksCopies(),
  'lock-person': locksCopies(),
  'lock-account-with-its-rows': changes(at(1)),
  'idle-accounts-to-warn': { ...reads(at(1)), split: [1] },
  'idle-accounts-to-delete': { ...reads(at(1)), split: [1] },
  'idle-accounts-lock-to-warn': locksCopies(),
  'idle-accounts-lock-to-delete': locksCopies(),
  'enqueue-idle-mails': { ...changes(at(1)), split: [1] },
  'user-activity-seen': { ...changes(at(1)), split: [1] },
  'user-activity-read': changes(at(1)),
  'listing-viewed': changes(at(1)),
  'lock-owners-of-notes': changes(),
  'write-api-usage': locksCopies(),
  'lock-owners-of-phone': locksCopies(),
  'lock-owner-of-browser': locksCopies(),
  'lock-owner-of-keys': locksCopies(),
  'lock-owner-of-factor': locksCopies(),
  'lock-requester': locksCopies(),
  'lock-buyer': locksCopies(),
  'lock-dealer': locksCopies(),
  'lock-password': locksCopies(),
  'lock-addresses': locksCopies(),
  'lock-phone': locksCopies(),
  // What waits to be sent, on any channel.
  'notify-lock-alerts': changes(at(2)),
  'notify-lock-alerts-and-owners': changes(at(2)),
  'notify-waiting-pairs': { ...reads(at(4), 'createdAt'), split: [1, 4] },
  'notify-pairs-by-mail_id': reads(at(2), 'createdAt'),
  'notify-pairs-by-push_id': reads(at(2), 'createdAt'),
  'notify-lock-listings': changes(at(2)),
  'notify-unchanging': reads(at(3)),
  'notify-reassign': changes(at(2)),
  'lock-texted': changes(at(1)),
  'drop-texts': changes(at(1)),
  'mail-events-lock': changes(at(2)),
  // Citus counts the rows that were there already, too.
  'mail-events-store': { ...changes(at(3)), split: [1, 2, 3, 4, 5, 6] },
  'notify-drop': { ...changes(at(2)), silent: true },
  'notify-defer-pairs': changes(at(2)),
  'release-lock': changes(at(1)),
  'notify-release-rows': changes(at(2)),
  'notify-release-mails': changes(at(2)),
  'notify-release-pushes': changes(at(2)),
  'notify-waiting': reads(at(3), ...ofWaiting),
  'notify-waiting-retries': reads(at(3), ...ofRetry),
  'notify-retry-holds': reads(at(3), ...ofRetry),
  'notify-unread': reads(at(1)),
  'notify-log': reads(at(1), 'createdAt', 'dueAt', 'sentAt', 'deliveredAt', 'settledAt'),
  'status-delayed': { times: ['email', 'sms', 'push', 'mailsTriedSince', 'ownersTriedSince'] },
  'notify-delays-email': reads(at(2), 'hour'),
  'notify-delays-sms': reads(at(2), 'hour'),
  'notify-delays-push': reads(at(2), 'hour'),
  // Mails.
  'notify-defer-throttled': { ...changes(), silent: true },
  'notify-due-alerts': { place: 'place', order: 'dueOrder' },
  'notify-read-alerts': reads(at(2), ...ofAlert),
  'notify-sent-since': { ...reads(at(3)), split: [1, 2, 3] },
  'notify-claim': { ...changes(at(2)), split: [1, 2, 3, 4, 6] },
  'notify-claim-enqueued': { ...changes(), place: 'place', limit: 3 },
  'notify-renew-leases': changes(at(3)),
  'notify-sent': { ...changes(at(6)), silent: true },
  'notify-end': { ...changes(at(6)), silent: true },
  'notify-defer-mails': changes(at(6)),
  'notify-owners': changes(at(2)),
  'notify-defer': changes(at(4)),
  'notify-defer-for': changes(at(3)),
  'notify-drop-alerts': changes(at(2)),
  'notify-ids-by-mail_id': reads(at(2)),
  'notify-ids-by-push_id': reads(at(2)),
  'notify-cars-by-mail_id': reads(at(2)),
  'notify-cars-by-push_id': reads(at(2)),
  // Texts and push messages.
  'notify-due-alerts-sms': { place: 'place', order: 'dueOrder' },
  'notify-due-alerts-push': { place: 'place', order: 'dueOrder' },
  'pushes-claim-retries': { ...changes(), place: 'place', limit: 2 },
  'pushes-renew-leases': changes(at(3)),
  'pushes-devices-failed': changes(at(1)),
  'pushes-complete': { ...changes(at(9)), silent: true },
  'texts-give-up-stale': { ...changes(), place: 'place' },
  'texts-release': changes(at(3)),
  'texts-begin-failing': changes(at(3)),
  'complete-text': changes(at(5), 'createdAt'),
  'texts-record-delivery': changes(at(6)),
  'notify-dissolve-mails': { ...changes(at(5)), silent: true },
  'notify-dissolve-pushes': { ...changes(at(5)), silent: true },
  'notify-hold-mails': { ...changes(at(5)), silent: true },
  'notify-hold-pushes': { ...changes(at(5)), silent: true },
  'notify-drop-waiting': changes(at(4)),
  'resend-lock-cars': changes(at(3)),
  'resend-wait': changes(at(2)),
  'notify-defer-until': changes(at(5)),
  'notify-defer-waiting': changes(at(4)),
  // What is old.
  'old-rows-page': {},
  'expire-waiting-messages': { ...changes(), silent: true },
  'purge-messages': { ...changes(), silent: true },
  'delete-old-matches': changes(),
  'delete-old-notifications': changes(),
  // What a buyer sees.
  'load-new-counts': reads(at(2)),
  'count-new-cars': reads(at(1)),
  'load-listings-for-buyer': { ...reads(at(1)), split: [1, 2] },
  'load-matched-listings': { ...reads(at(1)), split: [1, 2] },
  'read-match-page': reads(at(1), 'matchedAt'),
  'read-sorted-matches': reads(at(1), 'matchedAt'),
  'read-match': reads(at(3), 'matchedAt'),
  'read-match-points': reads(at(4)),
  'read-saved-listings': reads(at(1), 'savedAt'),
  // Positions and the live feed.
  'live-horizon': reads(at(1)),
  // Subscribers on servers that are away are read at the next poll.
  'live-bounds': { ...reads(at(1)), skipsAway: true },
  'live-touched': { ...reads(at(4)), skipsAway: true },
  'live-read-on': { ...reads(at(1), 'matchedAt'), split: [1, 2, 3, 4, 5, 6, 8], skipsAway: true },
  // Events of webhooks.
  'webhooks-start-position': changes(at(1)),
  'webhooks-bounds': {},
  'webhooks-noticed': reads(undefined, 'matchedAt'),
  'webhooks-new-matches': reads(at(1), 'matchedAt'),
  'webhooks-set-back-positions': changes(at(1)),
  'webhooks-move-positions': changes(at(1)),
  'webhooks-alerts': reads(at(2), 'snoozedUntil', 'createdAt', 'expiresAt', 'now'),
  'webhooks-listings': { ...reads(at(1), 'listedAt', 'seenAt', 'lastSeenAt'), split: [1, 2] },
  'webhooks-expiring': reads(at(1), 'expiresAt'),
  'webhooks-epoch': changes(at(1)),
  'webhooks-add-events': { ...changes(at(1)), split: [1, 2, 3, 4, 5] },
  'webhooks-test-event': changes(at(2)),
  'webhooks-rotate-secret': changes(at(4)),
  'webhooks-replay': changes(at(2)),
  'webhooks-lock-ready': { ...changes(), place: 'place', limit: 1 },
  'webhooks-claim': { ...changes(at(4)), times: ['happenedAt'], limit: 2 },
  'webhooks-next-message': {},
  'webhooks-record-try': changes(at(7)),
  'webhooks-failed': changes(at(4)),
  'webhooks-end-or-defer': changes(at(5)),
};
