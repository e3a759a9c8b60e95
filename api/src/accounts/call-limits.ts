/** Rate limits; each call counts and throws AppError RATE_LIMITED over the limit. `address` is the caller's IP address. */
export interface CallLimits {
  /** @param device the device's id for this account; null when it was never signed in to it */
  login(username: string, address: string, device: string | null): Promise<void>;
  /** Gives a device a counter of its own, which starts with the tries from its network. */
  startDevice(username: string, address: string, device: string): Promise<void>;
  /** Resets the counters of this caller and of the account, after the password was set otherwise. */
  resetLogins(username: string, address: string, device: string | null): Promise<void>;
  registration(address: string): Promise<void>;
  /**
   * Guesses of a second factor's codes, from all networks together.
   * @param from the id of a known device, or 'session'; each has a counter of its own, so that nobody else uses up its
   *   tries. null for all others together
   */
  secondFactorCode(userId: number, from: string | null): Promise<void>;
  /** Resets the counter of `from` after a right code. */
  resetCodes(userId: number, from: string | null): Promise<void>;
  /** Guesses of the current password in a session. */
  ownPassword(userId: number, address: string): Promise<void>;
  /**
   * Counts by the caller, and by the requested address whether an account has it or not.
   * @returns false when the address was requested too often, which is not shown to the caller
   */
  passwordReset(email: string, address: string): Promise<boolean>;
  /** Mails that a user requests: confirmations and tests. */
  mailOnDemand(userId: number): Promise<void>;
  /** Messages about cars that a user lets leave again. */
  resend(userId: number): Promise<void>;
  /** Questions why a listing does not match. */
  explanation(userId: number): Promise<void>;
  /** Previews of alerts. */
  preview(userId: number): Promise<void>;
  /** Trials of sources, each of which sends requests to another server. */
  sourceTrial(userId: number): Promise<void>;
  /** Messages of the contact form, by address, and by user when signed in. */
  contactMessage(userId: number | null, address: string): Promise<void>;
  /** Files of lists of cars. */
  listExport(userId: number): Promise<void>;
  /** Exports of a user's data. */
  dataExport(userId: number): Promise<void>;
  /** Any request, by user, or by address for visitors. */
  request(userId: number | null, address: string): Promise<void>;
  /** Photos of listings, which pages and mails show. */
  photo(address: string): Promise<void>;
  /** Links in mails, which scanners of mail follow for many readers. */
  mailLink(address: string): Promise<void>;
  /** Keys of the stored counters that name this user; they are deleted with the account. */
  keysOf(user: { id: number; username: string; email: string | null }): readonly string[];
}
