import { expect, it } from 'vitest';
import { setUpBuyers } from '../../test/payments/payer.ts';
import { confirmEmail } from '../accounts/email/confirm-email.ts';
import { executeDeletion } from '../rights/erase-person.ts';
import { processDuePayments } from './process-due-payments.ts';

const here = setUpBuyers();

const subscribe = 'mutation { subscribe(planId: 2) { sessionId } }';
const updateProfile =
  'mutation ($email: String) { updateProfile(input: {email: $email, phone: "512-555-0100"}) { id } }';

const first = () => `buyer-${here.people}@example.test`;
const second = () => `second-${here.people}@example.test`;
const processDue = (confirm = false) =>
  processDuePayments({ ...here.api.billing, confirmEmail: confirm }, here.api.db.pool);
const addressChanges = () => here.fake.writes.filter((name) => name === 'changeAddress').length;

/** Creates the buyer's customer. */
async function goToPay(): Promise<string> {
  await here.buyer.gql(subscribe);
  return (await here.api.db.row('select customer_id from billing_customers where user_id = $1', [here.buyerId]))
    .customer_id;
}
const ask = async (email: string | null) => expect((await here.buyer.gql(updateProfile, { email })).errors).toEqual([]);
const confirm = (email: string) =>
  confirmEmail(here.api.db.orm.em.fork(), { confirmEmail: false }, { userId: here.buyerId, email });
async function change(email: string | null): Promise<void> {
  await ask(email);
  if (email !== null) await confirm(email);
}
const waitedFiveMinutes = () =>
  here.api.db.pool.query(
    "update billing_customers set next_check_at = next_check_at - interval '5 minutes' where user_id = $1",
    [here.buyerId],
  );

it('sends the address to Stripe with the first payment, and after each change', async () => {
  const customer = await goToPay();
  expect(here.fake.addresses.get(customer)).toBe(first());
  await change(second());
  await processDue();
  expect(here.fake.addresses.get(customer)).toBe(second());
  await change(null);
  await processDue();
  expect(here.fake.addresses.get(customer)).toBeNull();
  expect(addressChanges()).toBe(3);
  await waitedFiveMinutes();
  await processDue();
  expect(addressChanges()).toBe(3);
});

it('sends only the last of several changes that happened while Stripe was unavailable', async () => {
  const customer = await goToPay();
  here.fake.fault = 'silent';
  await change(second());
  await processDue();
  await change('third@example.test');
  await processDue();
  await processDue();
  expect(here.fake.addresses.get(customer)).toBe(first());
  here.fake.fault = null;
  await waitedFiveMinutes();
  await processDue();
  expect(here.fake.addresses.get(customer)).toBe('third@example.test');
});

it('does not lose a change that happens while the plan is read', async () => {
  const customer = await goToPay();
  const { changeAddress } = here.fake;
  await change(second());
  here.fake.changeAddress = async (...asked) => {
    const isTaken = await changeAddress(...asked);
    await change('meanwhile@example.test');
    return isTaken;
  };
  await processDue();
  here.fake.changeAddress = changeAddress;
  expect(here.fake.addresses.get(customer)).toBe(second());
  await processDue();
  expect(here.fake.addresses.get(customer)).toBe('meanwhile@example.test');
});

it('does not resend an address that Stripe refuses, which delays no payment', async () => {
  const customer = await goToPay();
  await change(`refused-${second()}`);
  await processDue();
  expect(here.fake.addresses.get(customer)).toBeNull();
  await waitedFiveMinutes();
  await processDue();
  expect(addressChanges()).toBe(2);
});

it('sends an address only once it is confirmed', async () => {
  const customer = await goToPay();
  await ask(second());
  await processDue(true);
  expect(here.fake.addresses.get(customer)).toBe(first());
  await confirm(second());
  await processDue(true);
  expect(here.fake.addresses.get(customer)).toBe(second());
});

it('sends nothing for a user who is erased meanwhile, whose customer is deleted', async () => {
  const customer = await goToPay();
  here.fake.fault = 'silent';
  await change(second());
  await processDue();
  await here.buyer.gql('mutation { requestDeletion(reason: "x") { id } }');
  await here.api.db.pool.query("update deletion_requests set status = 'approved' where user_id = $1", [here.buyerId]);
  await executeDeletion({ pool: here.api.db.pool, limits: { keysOf: () => [] } }, { id: 1 }, here.buyerId);
  Object.assign(here.fake, { fault: null, writes: [] });
  await here.api.db.pool.query('update customer_deletions set next_try_at = now()');
  await processDue();
  expect(here.fake.writes).toEqual(['expireCheckout', 'deleteCustomer']);
  expect(here.fake.customers.has(customer)).toBe(false);
});
