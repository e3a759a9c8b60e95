import type { ErrorCode } from '../../base/errors.ts';
import type { TokenAction, TokenClaims } from '../../domain/action-links.ts';
import type { ActionPage } from '../../messages/action-page.ts';

/** A page as it is answered; 200 without a status. */
export interface Shown {
  status?: number;
  page: ActionPage;
}

/** What a token of this action says. */
type ClaimsOf<A extends TokenAction, C = TokenClaims> = C extends { action: infer X }
  ? A extends X
    ? C
    : never
  : never;

/** What a mailed link leads to. */
export interface MailLink<A extends TokenAction = TokenAction> {
  /** For GET: what the button does, or why there is nothing to do. Changes nothing. */
  ask(claims: ClaimsOf<A>): Promise<Shown>;
  /** For POST. What it throws is shown by `failed`. */
  act(claims: ClaimsOf<A>): Promise<Shown>;
  expired: ActionPage;
  /** Where an AppError has a page of its own; null leaves it to the general one. */
  failed?(code: ErrorCode, message: string): Shown | null;
}

/** Where pages lead that are about nothing in particular. */
export const openSettings = { label: 'Open the settings', address: '/settings' };
export const openAlerts = { label: 'Open my alerts', address: '/my-alerts' };
