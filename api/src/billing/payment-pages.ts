import type { Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { type PaymentCheckout, PaymentFault } from '../vendors/payments/payments.ts';
import { readCustomer, syncAddress, unlinkCustomer } from './customer.ts';
import { enqueueCustomerDeletion } from './enqueue-customer-deletion.ts';
import { type BillingParts, type PaidParts, paymentsMissing } from './make-billing.ts';
import type { UserLease } from './user-lock.ts';

/** A payment page to which a user was sent, or is about to be. */
interface CheckoutRow {
  id: number;
  planId: number;
  /** The idempotency key with which the vendor creates it. */
  key: string;
  /** null until the vendor has created it. */
  sessionId: string | null;
  url: string | null;
}

const columns = 'id, plan_id as "planId", key, session_id as "sessionId", url';
const CHECK_EVERY = "interval '30 minutes'";

/** Reads the user's open checkout, of which there is at most one. */
async function readOpenCheckout(db: Queryable, userId: number): Promise<CheckoutRow | null> {
  const { rows } = await db.query<CheckoutRow>(
    `select ${columns} from billing_checkouts where user_id = $1 and status in ('starting', 'open')`,
    [userId],
  );
  return rows[0] ?? null;
}

export async function readOwnCheckout(db: Queryable, userId: number, sessionId: string): Promise<CheckoutRow | null> {
  const { rows } = await db.query<CheckoutRow>(
    `select ${columns} from billing_checkouts where session_id = $1 and user_id = $2`,
    [sessionId, userId],
  );
  return rows[0] ?? null;
}

/** @returns null when the user is gone */
async function insertCheckout(db: Queryable, userId: number, planId: number): Promise<CheckoutRow | null> {
  const { rows } = await db.query<CheckoutRow>(
    `/* insert-checkout */ with person as materialized (select id from users where id = $1 for key share)
     insert into billing_checkouts (user_id, plan_id) select id, $2 from person returning ${columns}`,
    [userId, planId],
  );
  return rows[0] ?? null;
}

/** @returns false when the row, and so its user, is gone */
async function writeCheckout(db: Queryable, id: number, checkout: PaymentCheckout): Promise<boolean> {
  const { rowCount } = await db.query(
    `update billing_checkouts set session_id = $2, url = $3, status = $4, expires_at = $5,
            next_check_at = case when $4 = 'open' then now() + ${CHECK_EVERY} end where id = $1`,
    [id, checkout.id, checkout.url, checkout.status, checkout.expiresAt],
  );
  return rowCount === 1;
}

async function closeCheckout(db: Queryable, id: number, status: 'expired' | 'failed'): Promise<void> {
  await db.query('update billing_checkouts set status = $2, next_check_at = null where id = $1', [id, status]);
}

/**
 * Reads the state of the user's open checkout from the vendor and stores it, under the user lock.
 * @returns the checkout if it is still open or was not created yet
 * @throws PaymentFault
 */
export async function refreshCheckout(
  { payments }: PaidParts,
  lease: UserLease,
  userId: number,
): Promise<CheckoutRow | null> {
  const row = await readOpenCheckout(lease, userId);
  if (!row?.sessionId) return row;
  const checkout = await payments.readCheckout(row.sessionId);
  if (checkout) await writeCheckout(lease, row.id, checkout);
  else await closeCheckout(lease, row.id, 'failed');
  return checkout?.status === 'open' ? row : null;
}

/** The account was erased meanwhile. */
const accountGone = (): AppError => new AppError('UNAUTHENTICATED', 'Please sign in first.');

async function readPerson(lease: UserLease, userId: number) {
  const { rows } = await lease.query<{ userId: number; username: string }>(
    'select id as "userId", username from users where id = $1',
    [userId],
  );
  return rows[0] ?? null;
}

/**
 * Returns the user's customer id at the vendor and creates the customer the first time, under the user lock.
 * @throws PaymentFault, AppError UNAUTHENTICATED when the account is gone
 */
async function makeCustomer(parts: PaidParts, lease: UserLease, userId: number): Promise<string> {
  await lease.query(
    `/* insert-customer */ with person as materialized (select id from users where id = $1 for key share)
     insert into billing_customers (user_id) select id from person on conflict do nothing`,
    [userId],
  );
  const row = await readCustomer(lease, userId);
  const person = await readPerson(lease, userId);
  if (!row || !person) throw accountGone();
  if (row.customerId !== null) return row.customerId;
  const customerId = await createCustomer(parts, lease, person, row.creationKey);
  const { rowCount } = await lease.query('update billing_customers set customer_id = $2 where user_id = $1', [
    userId,
    customerId,
  ]);
  if (rowCount === 1) {
    await syncAddress(parts, lease, userId);
    return customerId;
  }
  await enqueueCustomerDeletion(lease, customerId, []);
  throw accountGone();
}

/**
 * After a refusal the row gets a new idempotency key, since the old one would be answered the same. After no answer it
 * keeps the key, with which the next try finds the customer that may have been created.
 */
async function createCustomer(
  { payments }: PaidParts,
  lease: UserLease,
  person: { userId: number; username: string },
  key: string,
): Promise<string> {
  try {
    return await payments.makeCustomer(person, key);
  } catch (error) {
    if (error instanceof PaymentFault && error.answered) await unlinkCustomer(lease, person.userId);
    throw error;
  }
}

interface OpenCheckout {
  url: string;
  sessionId: string;
}

/**
 * Returns the user's open payment page for a plan, or opens one, under the user lock. A page for another plan is expired
 * first.
 * @returns null when one of these pages was paid meanwhile or is over
 * @throws PaymentFault, AppError UNAUTHENTICATED when the account is gone
 */
export async function openCheckout(
  parts: PaidParts,
  lease: UserLease,
  userId: number,
  planId: number,
): Promise<OpenCheckout | null> {
  const open = await refreshCheckout(parts, lease, userId);
  if (open?.planId === planId && open.sessionId !== null && open.url !== null) {
    return { url: open.url, sessionId: open.sessionId };
  }
  if (open && open.planId !== planId && !(await close(parts, lease, open))) return null;
  const row = open?.planId === planId ? open : await insertCheckout(lease, userId, planId);
  if (!row) throw accountGone();
  return start(parts, lease, userId, row);
}

/** @returns false when the checkout was paid before it could be closed */
async function close({ payments }: PaidParts, lease: UserLease, { id, sessionId }: CheckoutRow): Promise<boolean> {
  // A page without a session id was perhaps created, but nobody has received its address.
  const checkout = sessionId === null ? null : await payments.expireCheckout(sessionId);
  if (checkout) await writeCheckout(lease, id, checkout);
  else await closeCheckout(lease, id, 'failed');
  return checkout?.status !== 'complete';
}

async function start(
  parts: PaidParts,
  lease: UserLease,
  userId: number,
  row: CheckoutRow,
  mayRecreateCustomer = true,
): Promise<OpenCheckout | null> {
  const customerId = await makeCustomer(parts, lease, userId);
  try {
    const checkout = await startOnce(parts, { userId, customerId, row });
    const isKept = await writeCheckout(lease, row.id, checkout);
    if (isKept) return checkout.url === null ? null : { url: checkout.url, sessionId: checkout.id };
    await enqueueCustomerDeletion(lease, customerId, [checkout.id]);
  } catch (error) {
    // Without an answer the next try, with the same key, finds the page that may have been created.
    if (error instanceof PaymentFault && !error.answered) throw error;
    await closeCheckout(lease, row.id, 'failed');
    const isGone = mayRecreateCustomer && !(await parts.payments.hasCustomer(customerId).catch(() => true));
    if (!isGone) throw error;
    await unlinkCustomer(lease, userId);
    const another = await insertCheckout(lease, userId, row.planId);
    if (another) return start(parts, lease, userId, another, false);
  }
  throw accountGone();
}

function startOnce(
  { payments, publicUrl }: PaidParts,
  { userId, customerId, row }: { userId: number; customerId: string; row: CheckoutRow },
): Promise<PaymentCheckout> {
  const { planId, key } = row;
  const successUrl = `${publicUrl}/subscription-success?session_id={CHECKOUT_SESSION_ID}&plan_id=${planId}`;
  const cancelUrl = `${publicUrl}/subscription?canceled=true`;
  return payments.startCheckout({ customerId, userId, planId, successUrl, cancelUrl }, key);
}

/**
 * Opens the page where the viewer manages their payments.
 * @returns its URL
 * @throws AppError NOT_CONFIGURED without payments, CONFLICT for a user without a customer, VENDOR
 */
export async function openBillingPortal(
  db: Queryable,
  { payments, publicUrl }: BillingParts,
  viewer: { id: number },
): Promise<string> {
  if (!payments) throw paymentsMissing();
  const customer = await readCustomer(db, viewer.id);
  if (!customer?.customerId) throw new AppError('CONFLICT', 'There are no payments yet. Please choose a plan first.');
  return payments.openPortal({ customerId: customer.customerId, returnUrl: `${publicUrl}/subscription` });
}
