import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { trimEnd } from '../../base/trim-end.ts';
import { storableText } from '../../domain/facts/listing-facts.ts';
import { WebFetchError } from '../../vendors/web-fetch-guard.ts';
import { wholeText } from '../decode-body.ts';
import type { RequestDeps } from '../kinds/source-kind.ts';
import { requireFewValues } from '../record/few-values.ts';
import { isRecord } from '../record/record-fields.ts';
import { EbayAccount } from './ebay-account.ts';
import type { EbaySettings } from './ebay-settings.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const SCOPE = 'https://api.ebay.com/oauth/api_scope';
/** Cars & Trucks. */
const CATEGORY = '6001';
/** Without the filter, auctions that have no fixed price are left out. */
const BUYING_OPTIONS = 'buyingOptions:{FIXED_PRICE|AUCTION|CLASSIFIED_AD}';

type Answer = { value: unknown; bytes: number };

/** Why an item has no details: it ended, it is refused, or eBay has a fault, which may be in this item only. */
export interface ItemFault {
  kind: 'ended' | 'refused' | 'fault';
  error: unknown;
}

interface ItemAnswer {
  kind: 'item';
  item: Record<string, unknown>;
}

/** Null where the fault says nothing about the item: keys, quota and network. */
function itemFaultOf(error: unknown): ItemFault['kind'] | null {
  if (error instanceof AppError) return error.code === 'MALFORMED' ? 'fault' : null;
  if (!(error instanceof WebFetchError)) return null;
  if (error.code === 'TOO_LARGE') return 'refused';
  const { status } = error;
  if (error.code !== 'HTTP_STATUS' || status === null || [401, 403, 408, 429].includes(status)) return null;
  if (status === 404) return 'ended';
  return status === 500 ? 'fault' : status >= 400 && status < 500 ? 'refused' : null;
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const errorAnswer = z.union([
  z.object({
    errors: z.array(z.object({ longMessage: z.string().optional(), message: z.string().optional() })).min(1),
  }),
  z.object({ error_description: z.string() }),
]);

/** What the answer to a failed call says. */
function reasonIn(answer: string | null): string | null {
  try {
    const read = errorAnswer.parse(JSON.parse(answer ?? ''));
    if ('error_description' in read) return read.error_description;
    return read.errors[0]?.longMessage ?? read.errors[0]?.message ?? null;
  } catch {
    return null;
  }
}

/** The same fault, with eBay's own words. */
function explained(error: unknown, what: string): unknown {
  if (!(error instanceof WebFetchError) || error.code !== 'HTTP_STATUS') return error;
  const { status, retryAfterSeconds, answer } = error;
  const limit = status === 429 ? 'too many calls were made with these keys' : null;
  const reason = reasonIn(answer) ?? limit;
  const words = reason === null ? '.' : `: ${storableText(reason).slice(0, 200)}`;
  const message = `eBay answered ${status ?? 'an error'} to ${what}${words}`;
  return new WebFetchError('HTTP_STATUS', message, {
    ...(status !== null && { status }),
    retryAfterSeconds,
    cause: error,
  });
}

/** eBay's Browse API, with its token and quota. Source: developer.ebay.com/api-docs/buy/browse/overview.html */
export class EbayClient {
  readonly account: EbayAccount;
  private readonly settings: EbaySettings;
  private readonly deps: RequestDeps;

  constructor(settings: EbaySettings, deps: RequestDeps) {
    this.settings = settings;
    this.deps = deps;
    this.account = new EbayAccount(settings, deps);
  }

  /** One page of the newest cars. @throws WebFetchError, AppError MALFORMED */
  search(offset: number, limit: number): Promise<Answer> {
    const { zip, radiusMiles } = this.settings;
    const near =
      zip === undefined
        ? ['itemLocationCountry:US']
        : [
            'pickupCountry:US',
            `pickupPostalCode:${zip}`,
            `pickupRadius:${radiusMiles}`,
            'pickupRadiusUnit:mi',
            'deliveryOptions:{SELLER_ARRANGED_LOCAL_PICKUP}',
          ];
    const parameters = new URLSearchParams({
      category_ids: CATEGORY,
      filter: [BUYING_OPTIONS, ...near].join(','),
      sort: 'newlyListed',
      fieldgroups: 'EXTENDED',
      limit: String(limit),
      offset: String(offset),
    });
    return this.withToken((token) => this.get(`item_summary/search?${parameters}`, token, 'the search'));
  }

  /**
   * All that one item states. A fault of this item alone is returned; @throws WebFetchError for others, AppError MALFORMED
   * for an answer to the request for a token
   */
  item(itemId: string): Promise<ItemAnswer | ItemFault> {
    const what = 'the question for an item';
    return this.withToken(async (token) => {
      try {
        const { value } = await this.get(`item/${encodeURIComponent(itemId)}`, token, what);
        if (!isRecord(value)) throw new AppError('MALFORMED', `eBay's answer to ${what} is no object.`);
        return { kind: 'item', item: value };
      } catch (error) {
        const kind = itemFaultOf(error);
        if (kind === null) throw error;
        return { kind, error };
      }
    });
  }

  private async withToken<T>(ask: (token: string) => Promise<T>): Promise<T> {
    const known = await this.account.token();
    try {
      return await ask(known ?? (await this.newToken()));
    } catch (error) {
      // A token may be revoked before its end.
      if (!(error instanceof WebFetchError && error.status === 401 && known !== null)) throw error;
      return ask(await this.newToken());
    }
  }

  private async get(path: string, token: string, what: string): Promise<Answer> {
    this.deps.signal?.throwIfAborted();
    await this.account.takeCall();
    const headers = { authorization: `Bearer ${token}`, 'x-ebay-c-marketplace-id': 'EBAY_MOTORS_US' };
    return this.fetchJson(`buy/browse/v1/${path}`, { headers }, what);
  }

  private async newToken(): Promise<string> {
    const { clientId, clientSecret } = this.settings;
    const headers = {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const sent = new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE }).toString();
    const { value } = await this.fetchJson(
      'identity/v1/oauth2/token',
      { method: 'POST', headers, sent },
      'the request for a token',
    );
    const read = tokenAnswer.safeParse(value);
    if (!read.success) throw new AppError('MALFORMED', "eBay's answer to the request for a token has no token.");
    const { access_token: token, expires_in: seconds } = read.data;
    await this.account.keepToken(token, seconds);
    return token;
  }

  private async fetchJson(path: string, how: Omit<Parameters<RequestDeps['request']>[0], 'url'>, what: string) {
    const page = await this.deps
      .request({
        ...how,
        url: `${trimEnd(this.settings.apiBase, '/')}/${path}`,
        maxBytes: MAX_BYTES,
        keepsAnswer: true,
      })
      .catch((error: unknown) => {
        throw explained(error, what);
      });
    if (page.status === 'unchanged') throw new AppError('MALFORMED', `eBay answered 304 to ${what}.`);
    try {
      const text = await wholeText(page);
      requireFewValues(text);
      return { value: JSON.parse(text) as unknown, bytes: page.body.size };
    } catch (error) {
      if (error instanceof SyntaxError) throw new AppError('MALFORMED', `eBay's answer to ${what} is no JSON.`);
      throw error;
    } finally {
      await page.body.close();
    }
  }
}
