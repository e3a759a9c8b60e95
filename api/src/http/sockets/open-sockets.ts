import type { WebSocket } from 'ws';
import { readLiveSessions } from '../../accounts/sessions/sessions.ts';
import type { Viewer } from '../../accounts/signed-in.ts';
import { channels } from '../../base/channels.ts';
import type { Pool } from '../../base/database.ts';
import type { Listener } from '../../base/listener.ts';
import type { Log } from '../../base/log.ts';
import type { KeyAuthentication } from '../../keys/key-authentication.ts';
import { closeSocket } from './socket-limits.ts';

const CHECK_SESSIONS_MS = 30_000;
/** Longer than an upgrade takes from reading its session to registering its owner. */
const REMEMBER_ENDED_MS = 60_000;
/** Sockets close within a second after their key has ended, even without a notification. */
const CHECK_KEYS_MS = 600;
/** The close code of graphql-ws after which its clients don't reconnect. */
export const UNAUTHORIZED = 4401;

export interface OpenSocketsParts {
  pool: Pool;
  listener: Pick<Listener, 'on' | 'onReconnect'>;
  keys: Pick<KeyAuthentication, 'endedOf'>;
  log: Log;
  /** How often the sessions and keys of open sockets are checked, in milliseconds. */
  checkEveryMs?: number | undefined;
}

export interface OpenSockets {
  /**
   * Makes the viewer the owner of a socket, in place of any former owner.
   * @returns false when their session has ended since it was read; the socket is closed then
   */
  admit(socket: WebSocket, viewer: Viewer): boolean;
  countOf(userId: number): number;
  close(): void;
}

/** Tracks the owners of open sockets, and closes sockets when their session or key ends. */
export async function watchOpenSockets(parts: OpenSocketsParts): Promise<OpenSockets> {
  const { pool, listener, keys, log } = parts;
  const open = new Map<WebSocket, Viewer>();
  const openOf = new Map<number, number>();

  /** Sessions that have just ended: a socket whose session was read before may get its owner only now. */
  const recentlyEnded = new Map<string, NodeJS.Timeout>();
  function remember(ended: string): void {
    clearTimeout(recentlyEnded.get(ended));
    recentlyEnded.set(ended, setTimeout(() => recentlyEnded.delete(ended), REMEMBER_ENDED_MS).unref());
  }

  function removeSocket(socket: WebSocket): void {
    const owner = open.get(socket);
    if (!owner || !open.delete(socket)) return;
    const left = (openOf.get(owner.id) ?? 1) - 1;
    if (left > 0) openOf.set(owner.id, left);
    else openOf.delete(owner.id);
  }

  function closeWhere(hasEnded: (owner: Viewer) => boolean, reason: string): void {
    for (const [socket, owner] of open) if (hasEnded(owner)) closeSocket(socket, UNAUTHORIZED, reason);
  }

  /** Finds sessions that have expired, or whose notification was lost. */
  async function checkSessions(): Promise<void> {
    const ids = [...new Set([...open.values()].map(({ sessionId }) => sessionId))].filter((id) => id !== null);
    if (ids.length === 0) return;
    const alive = await readLiveSessions(pool, ids);
    const asked = new Set(ids);
    closeWhere(({ sessionId }) => sessionId !== null && asked.has(sessionId) && !alive.has(sessionId), 'Session ended');
  }

  async function checkKeys(ofUser?: string): Promise<void> {
    const owners = [...open.values()].filter(({ id }) => ofUser === undefined || String(id) === ofUser);
    const ids = [...new Set(owners.flatMap(({ key }) => (key ? [key.id] : [])))];
    if (ids.length === 0) return;
    const ended = await keys.endedOf(ids);
    closeWhere(({ key }) => key !== undefined && ended.has(key.id), 'API key ended');
  }

  const notChecked = (error: unknown) => log.warn('owners of sockets could not be checked', { error });
  let isChecking = false;
  const checkAllKeys = () => {
    if (isChecking) return;
    isChecking = true;
    checkKeys()
      .catch(notChecked)
      .finally(() => {
        isChecking = false;
      });
  };
  const checkAll = () => {
    checkSessions().catch(notChecked);
    checkAllKeys();
  };
  const stops = [
    await listener.on(channels.sessions, (ended) => {
      remember(ended);
      closeWhere(({ sessionId, id }) => sessionId === ended || String(id) === ended, 'Session ended');
    }),
    await listener.on(channels.keys, (userId) => void checkKeys(userId).catch(notChecked)),
    listener.onReconnect(checkAll),
  ];
  const timers = [
    setInterval(checkAll, parts.checkEveryMs ?? CHECK_SESSIONS_MS),
    setInterval(checkAllKeys, Math.min(parts.checkEveryMs ?? CHECK_KEYS_MS, CHECK_KEYS_MS)),
  ];
  for (const timer of timers) timer.unref();

  return {
    admit(socket, viewer) {
      if (open.has(socket)) removeSocket(socket);
      else socket.once('close', () => removeSocket(socket));
      open.set(socket, viewer);
      openOf.set(viewer.id, (openOf.get(viewer.id) ?? 0) + 1);
      const hasEnded = viewer.sessionId !== null && recentlyEnded.has(viewer.sessionId);
      if (hasEnded) closeSocket(socket, UNAUTHORIZED, 'Session ended');
      return !hasEnded;
    },
    countOf: (userId) => openOf.get(userId) ?? 0,
    close() {
      for (const timer of timers) clearInterval(timer);
      for (const timer of recentlyEnded.values()) clearTimeout(timer);
      for (const stop of stops) stop();
    },
  };
}
