/** What is known of a person's payments, in the order in which it can be erased. */
export const paymentTables = {
  billingEvents: {
    table: 'billing_events',
    theirs: 'customer_id = (select customer_id from billing_customers where user_id = :user)',
    exported: { id: true, type: true, object_id: true, received_at: true, settled_at: true },
    leftOut: {
      customer_id: 'stands in the payments',
      attempts: 'how often it was tried to settle',
      next_try_at: 'when it is tried again',
      error: 'why that failed',
    },
  },
  billingCheckouts: {
    table: 'billing_checkouts',
    theirs: 'user_id = :user',
    exported: { id: true, plan_id: true, session_id: true, status: true, created_at: true, expires_at: true },
    leftOut: {
      user_id: 'the same in every row',
      key: 'under which Stripe makes it once',
      url: 'whoever has it can pay',
      next_look_at: 'when we look again',
    },
  },
  billingCustomers: {
    table: 'billing_customers',
    theirs: 'user_id = :user',
    exported: {
      customer_id: true,
      subscription_id: true,
      status: true,
      current_period_end: true,
      grace_ends_at: true,
      told_email: true,
      synced_at: true,
      created_at: true,
    },
    leftOut: {
      user_id: 'the same in every row',
      make_key: 'under which Stripe makes the customer once',
      told_grace: 'which mail was written',
      warned_grace: 'which mail was written',
      next_look_at: 'when we look again',
    },
  },
} as const;
