import { alertLimitReached } from '@lotwatch/api/forms/plan-refusals';
import { type Fault, readFault } from './errors.ts';

/** The text of the toast 'Login failed'. */
export function loginFailure(error: unknown): string {
  const { code, status, serverMessage, text, message } = readFault(error);
  if (status === 401 || code === 'UNAUTHENTICATED') return 'Invalid username or password';
  if (serverMessage) return serverMessage;
  const isRefused = (status ?? 0) >= 300;
  if (isRefused && text) return text;
  // Without an answer of the server, the message says more than that it failed.
  return serverMessage === '' || (isRefused && text === '') ? 'Login failed' : message;
}

/** Why an alert was not created. */
export function whyNotCreated({ code, status, serverMessage, needsUpgrade, message }: Fault): string {
  if (needsUpgrade) return serverMessage || alertLimitReached;
  if (status === 403 || code === 'FORBIDDEN') return serverMessage || 'Access denied';
  return serverMessage === '' ? 'An error occurred' : message;
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

/** Why a message of the contact form was not sent. */
export function contactFailure(error: unknown): string {
  const { serverMessage, message } = readFault(error);
  return serverMessage === '' ? 'Failed to send your message. Please try again later.' : message;
}

/** Why no test notification was sent. */
export function notificationFailure(error: unknown): string {
  return readFault(error).serverMessage || 'Failed to send notification. Please check your email settings.';
}

/** Why the plans could not be loaded: the server's message, else the status. */
export function plansFailure(error: unknown): string {
  const { serverMessage, status, message } = readFault(error);
  if (serverMessage) return serverMessage;
  return status !== undefined && status >= 300 ? `${status}: Could not retrieve subscription plans` : message;
}

/** Why a plan could not be chosen. */
export function subscribeFailure(error: unknown): string {
  return readFault(error).serverMessage || 'Failed to subscribe to the plan';
}

/** Why a payment was not verified. */
export function verificationFailure(error: unknown): string {
  return readFault(error).serverMessage || 'Verification failed. Please try again or contact support.';
}
