const DAY_MS = 86_400_000;

/** An alert lives six weeks from its making or its last renewal. */
const ALERT_DAYS = 42;
/** This many days before the end a mail offers it. */
export const REMINDER_DAYS = 3;

/** Whole days until the alert ends, the begun one included; never below 0. */
export function daysRemaining(expiresAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS));
}

/** The moment of expiry itself counts as expired. */
export function isExpired(expiresAt: Date, now: Date): boolean {
  return expiresAt.getTime() <= now.getTime();
}

/** When an alert ends that is made or renewed now. */
export function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + ALERT_DAYS * DAY_MS);
}
