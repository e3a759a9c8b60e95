import type { IncomingMessage, ServerResponse } from 'node:http';

interface Api {
  /** The cars it lists, the newest first. */
  cars: object[];
  /** The addresses that were asked for. */
  paths: string[];
  answer(request: IncomingMessage, response: ServerResponse): true;
}

function answerJson(response: ServerResponse, status: number, body: object): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
}

/** A listing of MarketCheck's inventory search. Source: docs.marketcheck.com/docs/api/cars/inventory/inventory-search */
export const marketCheckListing = (id: number, more: object = {}) => ({
  id: `1HGCV1F30KA${String(id).padStart(6, '0')}-2b1c9d0e`,
  vin: `1HGCV1F30KA${String(id).padStart(6, '0')}`,
  heading: 'Used 2019 Honda Accord Sport',
  price: 18_000 + id,
  miles: 41_200,
  msrp: 0,
  data_source: 'mc',
  vdp_url: `https://dealer.example/used/${id}`,
  carfax_1_owner: true,
  carfax_clean_title: true,
  exterior_color: 'Platinum White Pearl',
  interior_color: 'Black',
  dom: 12,
  dom_active: 12,
  seller_type: 'dealer',
  inventory_type: 'used',
  stock_no: `S${id}`,
  last_seen_at: 1_780_000_000,
  last_seen_at_date: '2026-05-28T20:26:40.000Z',
  first_seen_at: 1_779_000_000,
  first_seen_at_date: '2026-05-17T06:40:00.000Z',
  source: 'dealer.example',
  media: {
    photo_links: [`https://img.example/${id}-1.jpg`, `https://img.example/${id}-2.jpg`],
    photo_links_cached: [`https://api.marketcheck.com/v2/image/cache/car/${id}?api_key=YOUR-MARKETCHECK-KEY`],
  },
  dealer: {
    id: 1_000_001,
    name: 'Example Honda',
    dealer_type: 'franchise',
    street: '1 Main St',
    city: 'Austin',
    state: 'TX',
    country: 'US',
    zip: '78701',
    latitude: '30.26715',
    longitude: '-97.74306',
    phone: '512-555-0100',
  },
  build: {
    year: 2019,
    make: 'Honda',
    model: 'Accord',
    trim: 'Sport',
    body_type: 'Sedan',
    vehicle_type: 'Car',
    transmission: 'Automatic',
    drivetrain: 'FWD',
    fuel_type: 'Unleaded',
    engine: '1.5L I4',
    doors: 4,
    made_in: 'USA',
  },
  ...more,
});

const MAX_ROWS = 50;

/** MarketCheck's inventory search as it is described: paged by `start` and `rows`, with the key in the query. */
export function marketCheck(key: string): Api {
  const api: Api = {
    cars: [],
    paths: [],
    answer(request, response) {
      const url = new URL(request.url ?? '/', 'http://x');
      api.paths.push(url.pathname + url.search);
      if (url.searchParams.get('api_key') !== key)
        return answerJson(response, 401, { code: 401, message: 'Invalid key' });
      const [start = 0, rows = 10] = ['start', 'rows'].map((name) => Number(url.searchParams.get(name)));
      if (url.pathname !== '/v2/search/car/active') return answerJson(response, 404, {});
      if (rows > MAX_ROWS) return answerJson(response, 422, { code: 422, message: 'rows must be at most 50' });
      return answerJson(response, 200, { num_found: api.cars.length, listings: api.cars.slice(start, start + rows) });
    },
  };
  return api;
}

/** A listing of Auto.dev. Source: docs.auto.dev/v2/products/vehicle-listings */
export const autoDevListing = (id: number, more: object = {}) => {
  const vin = `3TMCZ5AN0PM${String(id).padStart(6, '0')}`;
  return {
    '@id': `https://api.auto.dev/listings/${vin}`,
    vin,
    createdAt: '2026-05-20T08:00:00.000Z',
    location: [-97.74306, 30.26715],
    online: true,
    vehicle: {
      vin,
      year: 2023,
      make: 'Toyota',
      model: 'Tacoma',
      trim: 'TRD Off Road',
      bodyStyle: 'Pickup',
      drivetrain: '4WD',
      engine: '3.5L V6',
      fuel: 'Gasoline',
      transmission: 'Automatic',
      exteriorColor: 'Cement',
    },
    retailListing: {
      price: 40_000 + id,
      miles: 18_500,
      dealer: 'Example Toyota',
      city: 'Austin',
      state: 'TX',
      zip: '78701',
      primaryImage: `https://img.example/${id}.jpg`,
      vdp: `#${id}`,
      used: true,
      cpo: false,
    },
    ...more,
  };
};

/** Auto.dev's listings as they are described: `links.next` is relative, and `limit` is capped by the plan. */
export function autoDev(key: string, cap = 20): Api {
  const api: Api = {
    cars: [],
    paths: [],
    answer(request, response) {
      const url = new URL(request.url ?? '/', 'http://x');
      api.paths.push(url.pathname + url.search);
      if (request.headers.authorization !== `Bearer ${key}`) {
        return answerJson(response, 401, { error: 'Unauthorized', code: 'INVALID_API_KEY' });
      }
      const page = Number(url.searchParams.get('page') ?? 1);
      const limit = Math.min(cap, Number(url.searchParams.get('limit') ?? 100));
      const data = api.cars.slice((page - 1) * limit, page * limit);
      const at = (number: number) => `/listings?page=${number}&limit=${limit}&sort=createdAt.desc`;
      const links = {
        self: at(page),
        first: '/listings',
        ...(page * limit < api.cars.length && { next: at(page + 1) }),
      };
      return answerJson(response, 200, { data, links });
    },
  };
  return api;
}
