/** Too many rows for an index of their users: they are found by their alerts. */
export const ofTheirAlerts = 'alert_id = any (:alerts)';
