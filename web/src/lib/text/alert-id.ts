/** Whether a part of an address can be an alert's id; anything but a number is not asked for. */
export const isAlertId = (id: string): boolean => /^\d{1,15}$/.test(id);
