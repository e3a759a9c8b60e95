/** Why the other tables hold nothing about a user. */
export const impersonalTables: Readonly<Record<string, string>> = {
  admin_acts: 'the log of what the admin did; its subjects are numbers',
  agenda_jobs: 'when each job runs',
  billing_farewells: 'customers of erased accounts by their number at Stripe, until Stripe has forgotten them',
  billing_leases: 'numbers of users at whose payments a process is at this moment, or was when it died within the day',
  car_candidates: 'listings that may be one car',
  listings: 'what sellers publish',
  migrations: 'the state of the schema',
  match_epochs: 'which servers counted positions of matches',
  match_server: 'which of them is running',
  plans: 'what is sold',
  price_changes: 'what sellers asked',
  quarantine: 'records of sources',
  rate_limits: 'counters that end within the hour; erased by their keys',
  source_hours: 'counts',
  source_lags: 'counts',
  sources: 'where listings come from',
};
