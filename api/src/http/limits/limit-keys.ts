import { createHash } from 'node:crypto';
import { networkOf } from '../../base/addresses/network.ts';

/** By what a network address is counted, here alone: IPv6 by its /64, as whoever has one address of it has them all. */
export const networkKey = (address: string): string => networkOf(address);

export const userKey = (userId: number): string => String(userId);

/** Names and addresses are typed by strangers: of any length, in any case. */
export function typedKey(text: string): string {
  return createHash('sha256').update(text.trim().toLowerCase()).digest('base64url');
}

/** What is typed from one network. */
export const typedFromKey = (text: string, address: string): string =>
  typedKey(`${text.trim()}\n${networkKey(address)}`);

/** All keys of tries at one account begin alike. */
export const accountFromNetworkKey = (username: string, address: string): string =>
  `${typedKey(username)}:${typedKey(networkKey(address))}`;

export const accountOnDeviceKey = (username: string, device: string): string => `${typedKey(username)}:${device}`;

/** Where codes of a second factor come from; all of an account begin alike. */
export const codesKey = (userId: number, from: string | null): string =>
  from === null ? userKey(userId) : `${userKey(userId)}:${from}`;
