import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { cookieName } from '../base/cookie-name.ts';
import { allOf, newestOf, type Secret } from '../base/secret.ts';

const COOKIE = 'lotwatch_device';
const YEAR_MS = 365 * 86_400_000;
/** Several people may share a device; the account that was used least recently is dropped. */
const MAX_ACCOUNTS = 8;
const NAME_BYTES = 12;
const PROOF_BYTES = 16;
const NAME_CHARACTERS = 16;

export interface KnownDevices {
  /** The id of the request's device for an account, by its username in any case; null for an unknown device. */
  idOf(request: IncomingMessage, username: string): string | null;
  /** Gives the device a proof that it was signed in to an account. @returns the device's id */
  remember(request: IncomingMessage, response: Response, username: string): string;
  /** Must run before the session's middleware; `remember` needs it. */
  middleware: RequestHandler;
}

/**
 * A device proves by a cookie that it was signed in to an account before, so that failed logins on other devices don't
 * lock it out. The cookie identifies nobody: for each account it has a random id of the device and a MAC over that id and
 * the username, which only this server can check.
 */
export function makeKnownDevices(secret: Secret, publicUrl: string): KnownDevices {
  const cookie = cookieName(COOKIE, publicUrl);
  const marksPattern = new RegExp(
    `(?:^|;)\\s*${cookie}=([\\w-]{38}(?:\\.[\\w-]{38}){0,${MAX_ACCOUNTS - 1}})\\s*(?:;|$)`,
  );
  const attributes = {
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
    maxAge: YEAR_MS,
    path: '/',
  } as const;
  const proofOf = (name: string, username: string, one: string): Buffer =>
    createHmac('sha256', one).update(`${name}\n${username.trim().toLowerCase()}`).digest().subarray(0, PROOF_BYTES);
  const marksIn = (request: IncomingMessage): string[] =>
    marksPattern.exec(request.headers.cookie ?? '')?.[1]?.split('.') ?? [];
  const markFor = (marks: readonly string[], username: string): string | undefined =>
    marks.find((mark) => {
      const given = Buffer.from(mark.slice(NAME_CHARACTERS), 'base64url');
      return allOf(secret).some((one) => {
        const proof = proofOf(mark.slice(0, NAME_CHARACTERS), username, one);
        return given.length === proof.length && timingSafeEqual(given, proof);
      });
    });

  const remembered = new WeakMap<Response, string>();

  return {
    idOf: (request, username) => markFor(marksIn(request), username)?.slice(0, NAME_CHARACTERS) ?? null,
    remember(request, response, username) {
      const marks = marksIn(request);
      const known = markFor(marks, username);
      const name = known?.slice(0, NAME_CHARACTERS) ?? randomBytes(NAME_BYTES).toString('base64url');
      const mark = name + proofOf(name, username, newestOf(secret)).toString('base64url');
      const value = [mark, ...marks.filter((other) => other !== known)].slice(0, MAX_ACCOUNTS).join('.');
      remembered.set(response, value);
      return name;
    },
    middleware(_request, response, next) {
      const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
      // It is added late to follow the session's cookie, since some clients read only the first one.
      response.writeHead = ((...head: unknown[]) => {
        const value = remembered.get(response);
        if (value !== undefined) response.cookie(cookie, value, attributes);
        return writeHead(...head);
      }) as Response['writeHead'];
      next();
    },
  };
}
