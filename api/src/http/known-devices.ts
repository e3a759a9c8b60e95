import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { cookieName } from '../base/cookie-name.ts';
import { allOf, newestOf, type Secret } from '../base/secret.ts';

const COOKIE = 'lotwatch_device';
const YEAR_MS = 365 * 86_400_000;
/** A family's computer knows several accounts; the oldest makes room. */
const MOST_ACCOUNTS = 8;
const NAME_BYTES = 12;
const PROOF_BYTES = 16;
const NAME_CHARACTERS = 16;

export interface KnownDevices {
  /** What the device of a request is called for an account, by any spelling of its username; null for a stranger. */
  nameOf(request: IncomingMessage, username: string): string | null;
  /** Gives the device a proof that it was signed in to an account. @returns what it is called */
  remember(request: IncomingMessage, response: Response, username: string): string;
  /** To be run before the session's middleware: `remember` needs it. */
  middleware: RequestHandler;
}

/**
 * A device proves by a cookie that it was signed in to an account before, so that wrong tries of others don't count
 * against it. The cookie says nothing about anybody: for each account it has a random name for the device, and a
 * signature over that name and the account's username, which only this server can check.
 */
export function makeKnownDevices(secret: Secret, publicUrl: string): KnownDevices {
  const cookie = cookieName(COOKIE, publicUrl);
  const marksPattern = new RegExp(
    `(?:^|;)\\s*${cookie}=([\\w-]{38}(?:\\.[\\w-]{38}){0,${MOST_ACCOUNTS - 1}})\\s*(?:;|$)`,
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
    nameOf: (request, username) => markFor(marksIn(request), username)?.slice(0, NAME_CHARACTERS) ?? null,
    remember(request, response, username) {
      const marks = marksIn(request);
      const known = markFor(marks, username);
      const name = known?.slice(0, NAME_CHARACTERS) ?? randomBytes(NAME_BYTES).toString('base64url');
      const mark = name + proofOf(name, username, newestOf(secret)).toString('base64url');
      const value = [mark, ...marks.filter((other) => other !== known)].slice(0, MOST_ACCOUNTS).join('.');
      remembered.set(response, value);
      return name;
    },
    middleware(_request, response, next) {
      const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
      // Added as late as this it stands after the session's cookie: there are clients that read the first one only.
      response.writeHead = ((...head: unknown[]) => {
        const value = remembered.get(response);
        if (value !== undefined) response.cookie(cookie, value, attributes);
        return writeHead(...head);
      }) as Response['writeHead'];
      next();
    },
  };
}
