/** The message when an alert is beyond the plan's limit. */
export const alertLimitReached =
  "You've reached the maximum number of alerts for your subscription plan. Please upgrade to create more alerts.";

/** The message when text notifications are refused on Free. */
export const textsNeedPlan =
  'SMS notifications are only available with paid subscription plans. Please upgrade to enable this feature.';
