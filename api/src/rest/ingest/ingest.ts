import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type RequestHandler, Router } from 'express';
import pLimit from 'p-limit';
import { AppError } from '../../base/errors.ts';
import type { ListingFacts } from '../../domain/facts/listing-facts.ts';
import { sourceName } from '../../domain/forms/sources/source.ts';
import { decodedText } from '../../sources/decode-body.ts';

/** The parsed facts of a pushed record, under the public names of Listing. */
function presentFacts(facts: ListingFacts) {
  const { title, make, model, year, price, transmission, color, condition, status, url, images, lat, lng } = facts;
  return {
    title,
    make,
    model,
    year,
    price,
    trim: facts.trim ?? null,
    mileage: facts.mileageMiles,
    transmission,
    fuel: facts.fuel ?? null,
    drive: facts.drive ?? null,
    body: facts.body ?? null,
    titleStatus: facts.titleStatus ?? null,
    seller: facts.seller ?? null,
    color,
    condition,
    location: facts.city === null ? null : { reverse_geocode: { city: facts.city, state: facts.state } },
    latitude: lat,
    longitude: lng,
    imageUrl: images[0] ?? null,
    images,
    status,
    url,
    createdAt: facts.listedAt,
  };
}

const MAX_BODY = '5mb';
/** Parsing 5 MB takes a tenth of a second; more at a time would block other requests. */
const MAX_CONCURRENT = 2;
/** Bodies in memory, those being read included; further pushes are answered with Retry-After. */
const MAX_PENDING = 20;
const RETRY_AFTER_SECONDS = 2;
const jsonTypes = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];

export interface IngestParts {
  /** Pushes are refused without it. */
  token: string | undefined;
  /** Stores a whole body; resolves after commit. */
  ingest(source: string, bodyText: string): Promise<{ results: readonly { facts: ListingFacts | null }[] }>;
}

/** POST /ingest/{source}: stores pushed listings; the token authorizes. */
export function ingestRoutes({ token, ingest }: IngestParts): RequestHandler {
  const router = Router();
  const limited = pLimit(MAX_CONCURRENT);
  let underWay = 0;
  router.all('/ingest/:source', (request, response, next) => {
    if (token === undefined || !sourceName.test(request.params.source ?? '')) {
      throw new AppError('NOT_FOUND', 'Not found');
    }
    if (request.method !== 'POST') {
      response.set('Allow', 'POST');
      throw new AppError('METHOD_NOT_ALLOWED', 'Only POST is accepted here.');
    }
    if (!holdsToken(request.headers.authorization, token)) {
      throw new AppError('UNAUTHENTICATED', 'The ingest token is missing or wrong.');
    }
    if (!request.is(jsonTypes)) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send application/json or application/x-ndjson.');
    }
    if (!isKnownCharset(request.headers['content-type'] ?? '')) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The charset of the content type is not supported.');
    }
    if (underWay >= MAX_PENDING) {
      throw new AppError(
        'UNAVAILABLE',
        'Too many pushes are being processed. Nothing of this one was stored; please try again.',
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      );
    }
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
    });
    next();
  });
  router.post('/ingest/:source', express.raw({ type: () => true, limit: MAX_BODY }), async (request, response) => {
    const contentType = request.headers['content-type'] ?? '';
    const body: unknown = request.body;
    await limited(async () => {
      const text = Buffer.isBuffer(body) ? await textOf(body, contentType) : '';
      const stored = await ingest(request.params.source ?? '', text);
      const results = stored.results.map((item) => ({ ...item, facts: item.facts && presentFacts(item.facts) }));
      response.json({ ...stored, results });
    });
  });
  return router;
}

/** Decodes like polled bodies: by the byte order mark; what is not UTF-8 is read as windows-1252. */
async function textOf(body: Buffer, contentType: string): Promise<string> {
  let text = '';
  const whole = async function* () {
    yield body;
  };
  for await (const part of decodedText(whole(), contentType)) text += part;
  return text;
}

function isKnownCharset(contentType: string): boolean {
  const charset = /charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType)?.[1];
  try {
    return charset === undefined || new TextDecoder(charset).encoding !== '';
  } catch {
    return false;
  }
}

/** Compares digests, so that the response time reveals neither length nor prefix of the token. */
function holdsToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
