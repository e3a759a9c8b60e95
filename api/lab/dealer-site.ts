import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

export interface SiteCar {
  vin: string;
  title: string;
  price: number;
  availability?: string;
}

type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** The page of a car as a dealer's platform writes it: a graph of the page, the dealer and the car. */
export function carPage(car: SiteCar): string {
  const graph = [
    {
      '@type': 'AutoDealer',
      '@id': '/#dealer',
      name: 'North Lot',
      address: { addressLocality: 'Boise', addressRegion: 'ID' },
    },
    {
      '@type': ['Product', 'Car'],
      '@id': '#car',
      name: car.title,
      vehicleIdentificationNumber: car.vin,
      offers: {
        '@type': 'Offer',
        price: String(car.price),
        priceCurrency: 'USD',
        availability: `https://schema.org/${car.availability ?? 'InStock'}`,
        seller: { '@id': '/#dealer' },
      },
    },
  ];
  const data = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  return `<!doctype html><title>${escaped(car.title)}</title><script type="application/ld+json">${data}</script><h1>${escaped(car.title)}</h1>`;
}

/**
 * A dealer's site: robots.txt, an index of sitemaps with a packed one of cars, pages with ETags, and whatever fault a test
 * wants of it.
 */
export class DealerSite {
  /** The pages by path. */
  readonly pages = new Map<string, string>();
  robots = '';
  /** Filled by the test that serves the site. */
  url = '';
  /** The paths that were asked for, with the status of the answer. */
  requests: { path: string; status: number; userAgent: string; at: number }[] = [];
  /** Answers instead of the site where it returns true. */
  fault: Fault = () => false;
  /** Changes by path that the sitemap states. */
  changed = new Map<string, string>();
  now: () => number = () => 0;

  put(...cars: readonly SiteCar[]): void {
    for (const car of cars) this.pages.set(`/used/${car.vin}`, carPage(car));
  }

  private sitemap(): string {
    const entries = [...this.pages.keys()].map((path) => {
      const changed = this.changed.get(path);
      return `<url><loc>${this.url}${escaped(path)}</loc>${changed ? `<lastmod>${changed}</lastmod>` : ''}</url>`;
    });
    return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`;
  }

  private body(path: string): { type: string; body: string | Buffer } | null {
    if (path === '/robots.txt') {
      return this.robots === '' ? null : { type: 'text/plain', body: this.robots.replaceAll('{site}', this.url) };
    }
    if (path === '/sitemap.xml') {
      const index = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${this.url}/cars.xml.gz</loc></sitemap></sitemapindex>`;
      return { type: 'application/xml', body: index };
    }
    if (path === '/cars.xml.gz') return { type: 'application/gzip', body: gzipSync(this.sitemap()) };
    const page = this.pages.get(path);
    return page === undefined ? null : { type: 'text/html; charset=utf-8', body: page };
  }

  /** Answers one request. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    const noted = { path, status: 0, userAgent: request.headers['user-agent'] ?? '', at: this.now() };
    this.requests.push(noted);
    response.on('close', () => {
      noted.status = response.statusCode;
    });
    if (this.fault(request, response)) return;
    const found = this.body(path);
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const etag = `"${createHash('sha1').update(found.body).digest('hex')}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { 'content-type': found.type, etag }).end(found.body);
  }

  /** The paths of cars that were asked for since the last call. */
  asked(): string[] {
    const paths = this.requests.map(({ path }) => path);
    this.requests = [];
    return paths.filter((path) => this.pages.has(path) || path.startsWith('/used/'));
  }
}
