/** Why no mails about cars go to an address: one came back, its reader reported one as spam, or unsubscribed from all. */
export enum SuppressionReason {
  bounced = 'bounced',
  complained = 'complained',
  unsubscribed = 'unsubscribed',
}
