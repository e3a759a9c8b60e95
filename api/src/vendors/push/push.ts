/** What a notification shows; the service worker reads these names. */
export interface PushCard {
  title: string;
  body: string;
  /** The page that a press opens. */
  url: string;
  /** The address of the car's photo; null without one. */
  image: string | null;
  /** A notification replaces one with the same tag, so that a message that is delivered twice is shown once. */
  tag: string;
}

/** A browser that receives messages through its push service. */
export interface PushDevice {
  id: number;
  /** The address at the push service. */
  endpoint: string;
  /** The browser's public key and secret, in base64url. */
  p256dh: string;
  auth: string;
}

/** A message to all devices of a user. */
export interface OutgoingPush {
  id: string;
  kind: string;
  /** The username. */
  to: string;
  alertId: number;
  /** "listingId:alertId" of each match that this message announces. */
  matchIds: string[];
  notificationIds: number[];
  card: PushCard;
  /** Whether a device that saves energy is to be woken. */
  isUrgent: boolean;
}

/**
 * What a push service answered. `gone`: the browser has ended the subscription; `refused`: this message will never be
 * accepted; `retry`: it may be accepted later. `isUnreachable`: no connection could be made to the push service.
 */
export type PushOutcome =
  | { result: 'accepted' | 'gone' }
  | { result: 'refused'; error: string }
  | { result: 'retry'; error: string; retryAfterMs: number | null; isUnreachable?: boolean };

export interface Pusher {
  /**
   * Delivers a message to a device. It may be called again for the same message, which then replaces the first.
   * @throws the signal's reason when it was aborted
   */
  send(push: OutgoingPush, device: PushDevice, signal?: AbortSignal): Promise<PushOutcome>;
  /** Records a message to a user without devices; null where such a message is not sent. */
  readonly sendToNobody: ((push: OutgoingPush) => Promise<void>) | null;
  close?(): Promise<void>;
}

/** A pair of keys by which push services know the sender, in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** How long a push service keeps a message for a device that is offline. Older cars are mostly sold. */
export const PUSH_TTL_SECONDS = 24 * 3600;
