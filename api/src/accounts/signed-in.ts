/** Who asks. The session's id stays on the server: it is what closes its sockets. */
export interface Viewer {
  id: number;
  sessionId: string;
}

/** Signs the caller's browser in and out; a WebSocket has none. */
export interface SessionControl {
  /** Starts a fresh session: its id is never one that was known before. */
  signIn(userId: number): Promise<void>;
  signOut(): Promise<void>;
}

/** Counters that throw AppError RATE_LIMITED; `address` is the caller's IP address. */
export interface SignInLimits {
  login(username: string, address: string): Promise<void>;
  registration(address: string): Promise<void>;
}
