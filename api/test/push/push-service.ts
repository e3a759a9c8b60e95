import { createDecipheriv, createECDH, createHmac, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLocalServer } from '../../lab/local-server.ts';

/*
 * A push service for tests, written from the standards with node:crypto alone, so that it is a second opinion about what the
 * library sends: RFC 8030 (the protocol), RFC 8188 and 8291 (the encryption) and RFC 8292 (who sends).
 */

const CURVE = 'prime256v1';
const MAX_BODY_BYTES = 4_096;
const MAX_LIFE_SECONDS = 24 * 3600;
const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** A message that the service accepted, as the browser reads it. */
export interface AcceptedPush {
  path: string;
  headers: IncomingMessage['headers'];
  /** When its request had come and when it was accepted, in milliseconds since 1970. */
  askedAt: number;
  at: number;
  /** Whether the sender was told. */
  isAnswered: boolean;
  ttlSeconds: number;
  topic: string | null;
  urgency: string;
  bodyBytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the sender put in
  payload: any;
}

type Answer =
  | number
  | 'hang'
  | 'cut'
  | 'cut after accepting'
  | { status: number; headers?: Record<string, string>; body?: string };

export interface TestBrowser {
  /** What the browser gives to the page. */
  subscription: { endpoint: string; p256dh: string; auth: string };
  path: string;
}

export interface PushService {
  url: string;
  /** All messages that were accepted, in order. */
  accepted: AcceptedPush[];
  /** Why requests were refused, one sentence each. */
  faults: string[];
  /** Requests by path, whatever came of them. */
  requests: string[];
  /** What a browser that comes online gets: of messages with one topic only the newest. */
  stored(path: string): AcceptedPush[];
  /** What is answered in place of 201; it may be changed in a test. */
  answer(path: string, headers: IncomingMessage['headers']): Answer | Promise<Answer>;
  /** A browser with keys of its own. @param vapidPublicKey the sender that it accepts */
  subscribe(vapidPublicKey: string): TestBrowser;
  close(): Promise<void>;
}

interface Subscribed {
  ecdh: ECDH;
  auth: Buffer;
  vapidPublicKey: string;
  stored: AcceptedPush[];
}

const hmac = (key: Buffer, ...parts: (Buffer | string)[]): Buffer => {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};

/** HKDF of one block. Source: RFC 5869. */
const hkdf = (salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer =>
  hmac(hmac(salt, secret), info, Buffer.from([1])).subarray(0, length);

/** Decrypts a message of one record. Source: RFC 8188, section 2, and RFC 8291, section 3.4. @throws Error saying what is wrong */
export function decrypt(body: Buffer, { ecdh, auth }: Pick<Subscribed, 'ecdh' | 'auth'>): Buffer {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const keyLength = body.readUInt8(20);
  if (keyLength !== 65) throw new Error(`the key id has ${keyLength} bytes`);
  const senderKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  if (record.length > recordSize) throw new Error('it has more than one record');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const secret = hkdf(auth, ecdh.computeSecret(senderKey), info, 32);
  const key = hkdf(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('the last record does not end with 2');
  return padded.subarray(0, end);
}

/** Checks who sends. Source: RFC 8292, sections 2 and 3. @throws Error saying what is wrong */
export function checkVapid(authorization: string | undefined, origin: string, publicKey: string, now: Date): void {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  if (!token) throw new Error(`the Authorization header is ${authorization}`);
  if (key !== publicKey) throw new Error('the key is not the one of the subscription');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65 || point[0] !== 4) throw new Error('the key is no uncompressed point');
  const jwk = { kty: 'EC', crv: 'P-256', x: base64url(point.subarray(1, 33)), y: base64url(point.subarray(33)) };
  const [header = '', claims = '', signature = ''] = token.split('.');
  const { alg, typ } = JSON.parse(Buffer.from(header, 'base64url').toString());
  if (alg !== 'ES256' || typ !== 'JWT') throw new Error(`the header is ${alg}, ${typ}`);
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the signature is wrong');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  if (aud !== origin) throw new Error(`aud is ${aud} in place of ${origin}`);
  const seconds = now.getTime() / 1000;
  if (!(exp > seconds && exp <= seconds + MAX_LIFE_SECONDS)) throw new Error(`exp is ${exp - seconds} seconds away`);
  if (!/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/.test(sub)) throw new Error(`sub is ${sub}`);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What a browser gives to the page, with keys of its own, but for the address. */
export function newTestSubscription(ecdh = createECDH(CURVE), auth = randomBytes(16)) {
  ecdh.generateKeys();
  return { p256dh: base64url(ecdh.getPublicKey()), auth: base64url(auth) };
}

/** Starts a push service on a port of this machine. */
export async function startPushService(): Promise<PushService> {
  const subscribed = new Map<string, Subscribed>();
  let messages = 0;

  interface Asked extends Pick<AcceptedPush, 'path' | 'headers' | 'askedAt' | 'isAnswered'> {
    body: Buffer;
  }

  function accept({ path, headers, body, ...asked }: Asked, one: Subscribed): void {
    checkVapid(headers.authorization, service.url, one.vapidPublicKey, new Date());
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error(`the encoding is ${headers['content-encoding']}`);
    const topic = headers.topic === undefined ? null : String(headers.topic);
    if (topic !== null && !/^[\w-]{1,32}$/.test(topic)) throw new Error(`the topic is ${topic}`);
    const urgency = String(headers.urgency ?? 'normal');
    if (!['very-low', 'low', 'normal', 'high'].includes(urgency)) throw new Error(`the urgency is ${urgency}`);
    const payload = JSON.parse(decrypt(body, one).toString('utf8'));
    const ttlSeconds = Number(headers.ttl);
    const about = { ...asked, path, headers, at: Date.now() };
    const push = { ...about, ttlSeconds, topic, urgency, bodyBytes: body.length, payload };
    service.accepted.push(push);
    if (topic !== null) one.stored = one.stored.filter((other) => other.topic !== topic);
    if (ttlSeconds > 0) one.stored.push(push);
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await readBytes(request);
    const askedAt = Date.now();
    service.requests.push(path);
    const refuse = (status: number, fault: string) => {
      service.faults.push(fault);
      response.writeHead(status).end(fault);
    };
    if (request.method !== 'POST') return refuse(405, `the method is ${request.method}`);
    const answer = await service.answer(path, request.headers);
    if (answer === 'hang') return;
    if (answer === 'cut') return void request.socket.destroy();
    const isAnswered = answer !== 'cut after accepting';
    const asked = isAnswered ? answer : 201;
    const { status, headers = {}, body: text = '' } = typeof asked === 'number' ? { status: asked } : asked;
    if (status !== 201) return void response.writeHead(status, headers).end(text);
    const one = subscribed.get(path);
    if (!one) return void response.writeHead(404).end();
    if (!/^\d+$/.test(String(request.headers.ttl ?? ''))) return refuse(400, 'there is no TTL');
    if (body.length > MAX_BODY_BYTES) return refuse(413, `the body has ${body.length} bytes`);
    try {
      accept({ path, headers: request.headers, body, askedAt, isAnswered }, one);
    } catch (error) {
      return refuse(403, error instanceof Error ? error.message : String(error));
    }
    if (!isAnswered) return void request.socket.destroy();
    messages += 1;
    response.writeHead(201, { location: `${service.url}/message/${messages}`, ttl: String(request.headers.ttl) }).end();
  }

  const server = await startLocalServer((request, response) => void respond(request, response));
  const service: PushService = {
    url: server.url,
    accepted: [],
    faults: [],
    requests: [],
    stored: (path) => subscribed.get(path)?.stored ?? [],
    answer: () => 201,
    subscribe(vapidPublicKey) {
      const ecdh = createECDH(CURVE);
      const auth = randomBytes(16);
      const keys = newTestSubscription(ecdh, auth);
      const path = `/push/${base64url(randomBytes(24))}`;
      subscribed.set(path, { ecdh, auth, vapidPublicKey, stored: [] });
      return { path, subscription: { endpoint: `${service.url}${path}`, ...keys } };
    },
    close: () => server.close(),
  };
  return service;
}
