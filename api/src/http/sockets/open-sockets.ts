import type { WebSocket } from 'ws';
import type { Viewer } from '../../accounts/signed-in.ts';
import { channels } from '../../base/channels.ts';
import type { Pool } from '../../base/database.ts';
import type { Listener } from '../../base/listener.ts';
import type { Log } from '../../base/log.ts';
import type { KeyAuthentication } from '../../keys/key-authentication.ts';
import { end } from './socket-bounds.ts';

const LOOK_AT_SESSIONS_MS = 30_000;
/** Longer than an upgrade takes from reading its session to having an owner. */
const REMEMBER_ENDED_MS = 60_000;
/** A key is dead within a second even when nobody could tell us, and when it ends by itself. */
const LOOK_AT_KEYS_MS = 600;
/** graphql-ws's close code that its clients don't answer with another try. */
export const UNAUTHORIZED = 4401;

export interface OpenSocketsParts {
  pool: Pool;
  listener: Pick<Listener, 'on' | 'onReconnect'>;
  keys: Pick<KeyAuthentication, 'endedOf'>;
  log: Log;
  /** How often the sessions and keys of open sockets are looked at. */
  lookEveryMs?: number | undefined;
}

export interface OpenSockets {
  /**
   * Makes the viewer the owner of a socket; whoever owned it before does no more.
   * @returns false when their session has ended since it was read: the socket is closed
   */
  admit(socket: WebSocket, viewer: Viewer): boolean;
  countOf(userId: number): number;
  close(): void;
}

/** Who owns each open socket, so that it ends with their session or key. */
export async function watchOpenSockets(parts: OpenSocketsParts): Promise<OpenSockets> {
  const { pool, listener, keys, log } = parts;
  const open = new Map<WebSocket, Viewer>();
  const openOf = new Map<number, number>();

  /** Sessions that ended a moment ago: a socket whose session was read before then may only now get its owner. */
  const endedLately = new Map<string, NodeJS.Timeout>();
  function remember(ended: string): void {
    clearTimeout(endedLately.get(ended));
    endedLately.set(ended, setTimeout(() => endedLately.delete(ended), REMEMBER_ENDED_MS).unref());
  }

  function leave(socket: WebSocket): void {
    const owner = open.get(socket);
    if (!owner || !open.delete(socket)) return;
    const left = (openOf.get(owner.id) ?? 1) - 1;
    if (left > 0) openOf.set(owner.id, left);
    else openOf.delete(owner.id);
  }

  function closeWhere(hasEnded: (owner: Viewer) => boolean, reason: string): void {
    for (const [socket, owner] of open) if (hasEnded(owner)) end(socket, UNAUTHORIZED, reason);
  }

  /** Sessions also end by themselves, and while nobody could tell us. */
  async function lookAtSessions(): Promise<void> {
    const ids = [...new Set([...open.values()].map(({ sessionId }) => sessionId))].filter((id) => id !== null);
    if (ids.length === 0) return;
    const { rows } = await pool.query<{ sid: string }>(
      'select sid from session where sid = any($1) and expire > now()',
      [ids],
    );
    const alive = new Set(rows.map(({ sid }) => sid));
    const asked = new Set(ids);
    closeWhere(({ sessionId }) => sessionId !== null && asked.has(sessionId) && !alive.has(sessionId), 'Session ended');
  }

  async function lookAtKeys(ofUser?: string): Promise<void> {
    const owners = [...open.values()].filter(({ id }) => ofUser === undefined || String(id) === ofUser);
    const ids = [...new Set(owners.flatMap(({ key }) => (key ? [key.id] : [])))];
    if (ids.length === 0) return;
    const ended = await keys.endedOf(ids);
    closeWhere(({ key }) => key !== undefined && ended.has(key.id), 'API key ended');
  }

  const notChecked = (error: unknown) => log.warn('owners of sockets not checked', { error });
  let isLooking = false;
  const lookSoon = () => {
    if (isLooking) return;
    isLooking = true;
    lookAtKeys()
      .catch(notChecked)
      .finally(() => {
        isLooking = false;
      });
  };
  const look = () => {
    lookAtSessions().catch(notChecked);
    lookSoon();
  };
  const stops = [
    await listener.on(channels.sessions, (ended) => {
      remember(ended);
      closeWhere(({ sessionId, id }) => sessionId === ended || String(id) === ended, 'Session ended');
    }),
    await listener.on(channels.keys, (userId) => void lookAtKeys(userId).catch(notChecked)),
    listener.onReconnect(look),
  ];
  const timers = [
    setInterval(look, parts.lookEveryMs ?? LOOK_AT_SESSIONS_MS),
    setInterval(lookSoon, Math.min(parts.lookEveryMs ?? LOOK_AT_KEYS_MS, LOOK_AT_KEYS_MS)),
  ];
  for (const timer of timers) timer.unref();

  return {
    admit(socket, viewer) {
      if (open.has(socket)) leave(socket);
      else socket.once('close', () => leave(socket));
      open.set(socket, viewer);
      openOf.set(viewer.id, (openOf.get(viewer.id) ?? 0) + 1);
      const hasEnded = viewer.sessionId !== null && endedLately.has(viewer.sessionId);
      if (hasEnded) end(socket, UNAUTHORIZED, 'Session ended');
      return !hasEnded;
    },
    countOf: (userId) => openOf.get(userId) ?? 0,
    close() {
      for (const timer of timers) clearInterval(timer);
      for (const timer of endedLately.values()) clearTimeout(timer);
      for (const stop of stops) stop();
    },
  };
}
