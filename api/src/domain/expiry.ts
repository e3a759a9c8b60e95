const DAY_MS = 86_400_000;

/** An alert expires six weeks after it was created or last renewed. */
const ALERT_DAYS = 42;
/** How many days before it expires an alert's reminder is mailed. */
export const REMINDER_DAYS = 3;

/** Days until an alert expires, rounded up; never below 0. */
export function daysRemaining(expiresAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS));
}

/** Whether an alert has expired; at the very time of expiry it has. */
export function isExpired(expiresAt: Date, now: Date): boolean {
  return expiresAt.getTime() <= now.getTime();
}

/** When an alert expires that is created or renewed now. */
export function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + ALERT_DAYS * DAY_MS);
}
