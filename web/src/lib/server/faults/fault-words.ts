import { type Fault, readFault } from './errors.ts';

/** The text of the toast 'Login failed'. */
export function loginFailure(error: unknown): string {
  const { code, status, said, text, message } = readFault(error);
  if (status === 401 || code === 'UNAUTHENTICATED') return 'Invalid username or password';
  if (said) return said;
  const isRefused = (status ?? 0) >= 300;
  if (isRefused && text) return text;
  // No answer at all, or one that is out of order, has more to say than that it failed.
  return said === '' || (isRefused && text === '') ? 'Login failed' : message;
}

const limitReached =
  "You've reached the maximum number of alerts for your subscription plan. Please upgrade to create more alerts.";

/** Why an alert was not created. */
export function whyNotCreated({ code, status, said, needsUpgrade, message }: Fault): string {
  if (needsUpgrade) return said || limitReached;
  if (status === 403 || code === 'FORBIDDEN') return said || 'Access denied';
  return said === '' ? 'An error occurred' : message;
}

/** Title and text of the toast for a failed write of an alert. */
export function alertFailure(verb: 'create' | 'update' | 'delete', error: unknown): { title: string; text: string } {
  const fault = readFault(error);
  const message = verb === 'create' ? whyNotCreated(fault) : fault.message;
  if (verb === 'create' && message.includes('maximum number of alerts')) {
    return { title: 'Subscription Limit Reached', text: message };
  }
  return { title: 'Error', text: `Failed to ${verb} alert: ${message}` };
}

/** Why a message did not go to the people behind the contact form. */
export function contactFailure(error: unknown): string {
  const { said, message } = readFault(error);
  return said === '' ? 'Failed to send your message. Please try again later.' : message;
}

/** Why no test notification went out. */
export function notificationFailure(error: unknown): string {
  return readFault(error).said || 'Failed to send notification. Please check your email settings.';
}

/** Why the plans are not there: the server's words, else the status. */
export function plansFailure(error: unknown): string {
  const { said, status, message } = readFault(error);
  if (said) return said;
  return status !== undefined && status >= 300 ? `${status}: Could not retrieve subscription plans` : message;
}

/** Why a plan was not taken. */
export function subscribeFailure(error: unknown): string {
  return readFault(error).said || 'Failed to subscribe to the plan';
}

/** Why a payment was not verified. */
export function verificationFailure(error: unknown): string {
  return readFault(error).said || 'Verification failed. Please try again or contact support.';
}
