/** Rules that hold messages until a time that the buyer chose, or until the buyer acts; what they held leaves as a summary. */
export const summaryRules = ['quiet_hours', 'snoozed', 'paused', 'daily_limit', 'suppressed', 'unconfirmed'] as const;

/** The rules that hold messages, without the five minutes between two of them. */
export const holdRules = ['digest', ...summaryRules] as const;
