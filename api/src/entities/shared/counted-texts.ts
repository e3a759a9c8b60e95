/** Rows of `texts` that count towards the month's cap: also what may have been sent. Months are UTC's. */
export const countedTexts = `kind = 'match' and status <> 'failed' and created_at >= date_trunc('month', now(), 'UTC')`;
