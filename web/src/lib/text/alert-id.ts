/** Whether a part of an address can be an alert's id; only numbers are fetched. */
export const isAlertId = (id: string): boolean => /^\d{1,15}$/.test(id);
