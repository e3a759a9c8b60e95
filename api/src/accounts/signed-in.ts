import type { KeyRights } from '../domain/api-key.ts';
import type { SessionRestriction } from '../domain/session-restriction.ts';
import type { DeviceInfo } from './sessions/devices.ts';

/** The user who makes a request. */
export interface Viewer {
  id: number;
  /** null with an API key. It never leaves the server. */
  sessionId: string | null;
  /** When the password was last entered in the session; absent with a key. */
  passwordGivenAt?: Date | null;
  /** The API key of the request. */
  key?: KeyRights;
  /** What the user has to do before anything else is permitted. */
  restrictedTo?: SessionRestriction | null;
}

/** Changes the session of the caller's browser; a WebSocket has none. */
export interface SessionControl {
  /** Starts a session with a new id. */
  signIn(userId: number, restrictedTo: SessionRestriction | null): Promise<void>;
  signOut(): Promise<void>;
  /** Destroys the session alone, where the user can't be signed out. */
  discard(): Promise<void>;
  /** Records that the password was entered in the session now. @throws AppError UNAUTHENTICATED when it has ended */
  recordPasswordEntry(): Promise<void>;
  /** The browser and system of the caller. */
  deviceInfo(): DeviceInfo;
  /** The id of this device for an account; null when it was never signed in to that account. */
  knownDeviceId(username: string): string | null;
  /** Marks this device as signed in to the account, for later logins. @returns its id */
  rememberDevice(username: string): string;
}

/** Who makes a request, and from where. */
export interface Caller {
  viewer: Viewer | null;
  /** null on a WebSocket, where nobody can sign in or out. */
  session: SessionControl | null;
  /** IP address. */
  address: string;
  /** The Host header. */
  host: string | undefined;
}
