import type { IncomingMessage, ServerResponse } from 'node:http';
import { milesBetween } from '../../src/domain/places/place.ts';
import { gazetteer } from '../gazetteer.ts';
import { readBody } from '../local-server.ts';
import type { EbayCar } from './ebay-cars.ts';

const TOKEN_SECONDS = 7200;
const MAX_OFFSET = 10_000;
const parameters = new Set(['category_ids', 'q', 'filter', 'sort', 'fieldgroups', 'limit', 'offset']);

type Send = (status: number, body: unknown, headers?: Record<string, string>) => unknown;

export interface EbayCall {
  kind: 'token' | 'search' | 'item';
  url: URL;
  message: IncomingMessage;
}

/** A server that answers as eBay describes it: its tokens, its search of cars, and their details. */
export class EbayServer {
  /** The newest first. */
  cars: EbayCar[] = [];
  /** Its keys. */
  clientId = 'described-client';
  clientSecret = 'described-secret';
  calls: EbayCall[] = [];
  /** Answers a call itself if it returns true: how a test makes a fault. */
  script: (call: EbayCall, response: ServerResponse) => boolean = () => false;
  private readonly tokens = new Set<string>();

  /** The calls of one kind. */
  callsOf(kind: EbayCall['kind']): EbayCall[] {
    return this.calls.filter((call) => call.kind === kind);
  }

  /** Ends all tokens before their time. */
  expireTokens(): void {
    this.tokens.clear();
  }

  readonly answer = async (message: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const url = new URL(message.url ?? '/', 'http://ebay.example');
    const send: Send = (status, body, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    };
    const kind = this.kindOf(message, url);
    if (!kind) return send(404, errors(2001, 'There is no such resource'));
    const call = { kind, url, message };
    this.calls.push(call);
    if (this.script(call, response)) return;
    if (kind === 'token') return this.token(message, send);
    const token = /^Bearer (.+)$/.exec(message.headers.authorization ?? '')?.[1] ?? '';
    if (!this.tokens.has(token)) return send(401, errors(1001, 'Invalid access token'));
    if (message.headers['x-ebay-c-marketplace-id'] !== 'EBAY_MOTORS_US') {
      return send(409, errors(12_005, 'The marketplace is missing or is not supported'));
    }
    if (kind === 'search') return this.search(url, send);
    return this.item(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''), send);
  };

  private kindOf({ method }: IncomingMessage, { pathname }: URL): EbayCall['kind'] | null {
    if (method === 'POST' && pathname === '/identity/v1/oauth2/token') return 'token';
    if (method !== 'GET') return null;
    if (pathname === '/buy/browse/v1/item_summary/search') return 'search';
    return /^\/buy\/browse\/v1\/item\/[^/]+$/.test(pathname) ? 'item' : null;
  }

  private async token(message: IncomingMessage, send: Send): Promise<unknown> {
    const keys = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64');
    if (message.headers.authorization !== `Basic ${keys}`) {
      return send(401, { error: 'invalid_client', error_description: 'client authentication failed' });
    }
    if (new URLSearchParams(await readBody(message)).get('grant_type') !== 'client_credentials') {
      return send(400, { error: 'unsupported_grant_type', error_description: 'the grant type is not supported' });
    }
    const token = `v^1.1#described#${this.calls.length}`;
    this.tokens.add(token);
    return send(200, { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Application Access Token' });
  }

  private search({ searchParams, href }: URL, send: Send): unknown {
    const unknown = [...searchParams.keys()].find((name) => !parameters.has(name));
    if (unknown !== undefined) return send(400, errors(12_002, `The parameter ${unknown} is unknown`));
    const limit = Number(searchParams.get('limit') ?? 50);
    const offset = Number(searchParams.get('offset') ?? 0);
    if (!(limit >= 1 && limit <= 200)) return send(400, errors(12_006, 'The limit is not between 1 and 200'));
    if (!(offset >= 0 && offset <= MAX_OFFSET)) return send(400, errors(12_007, 'The offset is not valid'));
    if (searchParams.get('category_ids') !== '6001') return send(400, errors(12_001, 'The category is not valid'));
    const found = this.cars.filter((car) => fits(car, searchParams.get('filter') ?? ''));
    const items = found.slice(offset, Math.min(offset + limit, MAX_OFFSET));
    const isExtended = (searchParams.get('fieldgroups') ?? '').split(',').includes('EXTENDED');
    return send(200, {
      href,
      total: found.length,
      limit,
      offset,
      ...(offset + limit < found.length && { next: href }),
      ...(items.length > 0 && { itemSummaries: items.map((car) => summaryOf(car, isExtended)) }),
    });
  }

  private item(id: string, send: Send): unknown {
    const car = this.cars.find((one) => itemId(one) === id);
    if (!car) return send(404, errors(11_001, 'The item was not found'));
    return send(200, itemOf(car));
  }
}

const errors = (errorId: number, message: string) => ({
  errors: [{ errorId, domain: 'API_BROWSE', category: 'REQUEST', message, longMessage: message }],
});

const itemId = ({ id }: EbayCar): string => `v1|${200_000_000_000 + id}|0`;

function optionsOf({ price, bid }: EbayCar): string[] {
  return [...(price === undefined ? [] : ['FIXED_PRICE']), ...(bid === undefined ? [] : ['AUCTION'])];
}

/** The filters that are described: the ways to buy, the country, and the distance from a ZIP. */
function fits(car: EbayCar, filter: string): boolean {
  const values = new Map(filter.split(',').map((one) => one.split(':', 2) as [string, string]));
  const options = (values.get('buyingOptions') ?? '{FIXED_PRICE}').replace(/[{}]/g, '').split('|');
  if (!optionsOf(car).some((option) => options.includes(option))) return false;
  const zip = values.get('pickupPostalCode');
  if (zip === undefined) return true;
  const place = gazetteer.resolve(zip);
  return place !== null && milesBetween(place, car) <= Number(values.get('pickupRadius'));
}

/** What summary and details have both. */
const commonOf = (car: EbayCar) => ({
  itemId: itemId(car),
  legacyItemId: String(200_000_000_000 + car.id),
  title: car.title,
  // Of an auction without a fixed price it is what was bid so far.
  price: { value: car.price ?? car.bid ?? '0.00', currency: car.currency ?? 'USD' },
  ...(car.bid !== undefined && { currentBidPrice: { value: car.bid, currency: 'USD' }, bidCount: 3 }),
  buyingOptions: optionsOf(car),
  condition: 'Used',
  conditionId: '3000',
  image: { imageUrl: `https://i.ebayimg.com/thumbs/images/g/car-${car.id}/s-l225.jpg` },
  // The query differs from answer to answer, as eBay's does.
  itemWebUrl: `https://www.ebay.com/itm/${200_000_000_000 + car.id}?hash=item${Math.random().toString(36).slice(2)}`,
  itemCreationDate: car.listedAt.toISOString(),
});

const summaryOf = (car: EbayCar, isExtended: boolean) => ({
  ...commonOf(car),
  leafCategoryIds: ['6001'],
  thumbnailImages: [{ imageUrl: `https://i.ebayimg.com/images/g/car-${car.id}/s-l1600.jpg` }],
  itemLocation: { postalCode: `${car.zip.slice(0, 3)}**`, country: 'US', ...(isExtended && { city: car.city }) },
  ...(isExtended && { shortDescription: `Condition: Used, Make: ${car.aspects.Make}` }),
});

const itemOf = (car: EbayCar) => ({
  ...commonOf(car),
  image: { imageUrl: `https://i.ebayimg.com/images/g/car-${car.id}/s-l1600.jpg` },
  additionalImages: [{ imageUrl: `https://i.ebayimg.com/images/g/car-${car.id}-2/s-l1600.jpg` }],
  itemLocation: { city: car.city, stateOrProvince: car.state, postalCode: `${car.zip.slice(0, 3)}**`, country: 'US' },
  categoryId: '6001',
  description: `<div><p>${car.title}, runs and drives well.</p><script>var x = 1;</script><p>Ask for more photos.</p></div>`,
  localizedAspects: Object.entries(car.aspects).map(([name, value]) => ({ type: 'STRING', name, value })),
});
