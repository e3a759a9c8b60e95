import { createHash } from 'node:crypto';
import { networkOf } from '../../base/addresses/network.ts';
import type { Queryable } from '../../base/database.ts';

/** The key of a network: an IPv6 address counts by its /64, of which a client can use every address. */
export const networkKey = (address: string): string => networkOf(address);

export const userKey = (userId: number): string => String(userId);

/** The key of a username or address that was typed, of any length and in any case. */
export function typedKey(text: string): string {
  return createHash('sha256').update(text.trim().toLowerCase()).digest('base64url');
}

/** The key of a typed text from one network. */
export const typedFromKey = (text: string, address: string): string =>
  typedKey(`${text.trim()}\n${networkKey(address)}`);

/** Keys of login counters begin with the account. */
export const accountFromNetworkKey = (username: string, address: string): string =>
  `${typedKey(username)}:${typedKey(networkKey(address))}`;

export const accountOnDeviceKey = (username: string, device: string): string => `${typedKey(username)}:${device}`;

/** Keys of code counters begin with the account. */
export const codesKey = (userId: number, from: string | null): string =>
  from === null ? userKey(userId) : `${userKey(userId)}:${from}`;

/**
 * Deletes all counters of logins and codes of an account, from every network, device and session. It scans the whole
 * table, so that it is only for the operator's commands.
 */
export async function deleteLoginCounters(db: Queryable, user: { id: number; username: string }): Promise<void> {
  await db.query(
    `delete from rate_limits
      where (key like 'login-%' and split_part(key, ':', 2) = $1)
         or (split_part(key, ':', 1) in ('password-user', 'code-user', 'code-week-user') and split_part(key, ':', 2) = $2)`,
    [typedKey(user.username), userKey(user.id)],
  );
}
