import type { KeyRights } from '../domain/api-key.ts';
import type { SessionRestriction } from '../domain/session-restriction.ts';
import type { DeviceWords } from './sessions/device-words.ts';

/** Who asks. The session's id stays on the server: it is what closes its sockets. */
export interface Viewer {
  id: number;
  /** null for whoever comes with an API key. */
  sessionId: string | null;
  /** When the session was last given the password; not there with a key. */
  passwordGivenAt?: Date | null;
  /** The API key that they came with. */
  key?: KeyRights;
  /** What they have to do before anything else is open to them. */
  restrictedTo?: SessionRestriction | null;
}

/** What changes the session of the caller's browser; a WebSocket has none. */
export interface SessionControl {
  /** Starts a fresh session: its id is never one that was known before. */
  signIn(userId: number, restrictedTo: SessionRestriction | null): Promise<void>;
  signOut(): Promise<void>;
  /** Notes that the session was given the password now. @throws AppError UNAUTHENTICATED where it has ended */
  notePassword(): Promise<void>;
  /** What the caller's browser says of itself. */
  deviceWords(): DeviceWords;
  /** What this device is called for an account that it was signed in to before; null where it was not. */
  deviceOf(username: string): string | null;
  /** From now on the device can prove that it was signed in to that account. @returns what it is called */
  rememberDevice(username: string): string;
}

/** Counters that throw AppError RATE_LIMITED; `address` is the caller's IP address. */
export interface CallLimits {
  /** @param device what it is called for this account; null for one that was never signed in to it */
  login(username: string, address: string, device: string | null): Promise<void>;
  /** The device counts for itself from now on, beginning with the tries from its network. */
  startDevice(username: string, address: string, device: string): Promise<void>;
  /** The password was proven otherwise: wrong tries of this caller and of all together no longer count. */
  forgiveLogins(username: string, address: string, device: string | null): Promise<void>;
  registration(address: string): Promise<void>;
  /**
   * Guesses of a second factor's codes, from all networks together.
   * @param from a device that was signed in to the account before, or 'session', each counted for itself: nobody else
   * uses up their tries; null for all others together
   */
  secondFactorCode(userId: number, from: string | null): Promise<void>;
  /** A code was right: wrong ones before it that came from there no longer count. */
  forgiveCodes(userId: number, from: string | null): Promise<void>;
  /** Guesses of one's own password; `address` as at a login. */
  ownPassword(userId: number, address: string): Promise<void>;
  /**
   * Counted by who asks, and by whose address it is, whether anybody has it or not. That one was asked for often is no
   * fault of its owner's: false, and nobody is told.
   */
  passwordReset(email: string, address: string): Promise<boolean>;
  /** Mails that a user asks for: confirmations, tests. */
  mailOnDemand(userId: number): Promise<void>;
  /** Messages of the contact form; counted by address, and by user too where one is signed in. */
  contactMessage(userId: number | null, address: string): Promise<void>;
  /** Exports of a user's data. */
  dataExport(userId: number): Promise<void>;
  /** Any call; counted by user, visitors by address. */
  request(userId: number | null, address: string): Promise<void>;
  /** Sellers' photos, which pages and mails show. */
  photo(address: string): Promise<void>;
  /** Keys of the kept counters that tell of this user; they go with the account. */
  keysOf(user: { id: number; username: string; email: string | null }): readonly string[];
}

/** Who stands behind a request. */
export interface Caller {
  viewer: Viewer | null;
  /** null where nobody can be signed in or out: on a WebSocket. */
  session: SessionControl | null;
  /** IP address. */
  address: string;
  /** The Host header: by which name the server was asked. */
  host: string | undefined;
}
