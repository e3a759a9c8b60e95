import sharp from 'sharp';
import { push } from '../../../web/e2e/browser/running.ts';
import { type Cookies, createAlert, type Person, personAt, register } from '../../../web/e2e/browser/session.ts';
import { startLocalServer } from '../../lab/local-server.ts';
import { INGEST_TOKEN, startLotWatch } from '../../lab/processes.ts';
import { startThrowAway } from '../../lab/throw-away.ts';
import { untilTrue } from '../../lab/until-true.ts';
import { buildWeb } from '../../src/launcher/web-build.ts';

const TIMEOUT_MS = 60_000;
const SOURCE = 'seller';
const PASADENA = { latitude: 34.1478, longitude: -118.1445, reverse_geocode: { city: 'Pasadena', state: 'CA' } };
const ALERT = { make: 'toyota', model: 'camry', location: 'Los Angeles, CA', radius: 50, priceMax: 50_000 };
/** A camera's photo, as sellers upload it. */
const PHOTO = { width: 1600, height: 1200, quality: 80 };

/** A running LotWatch with a buyer and an alert, whose cars have photos. */
export interface Scene extends AsyncDisposable {
  /** Its address, without a trailing slash. */
  url: string;
  buyer: Person;
  cookies: Cookies;
  alertId: string;
  /** The seller's photo. */
  photo: Buffer;
  /** Lists cars that the alert matches. The titles end with their numbers. */
  list(carNumbers: readonly number[]): Promise<void>;
  /** How many matches the alert has. */
  countMatches(): Promise<number>;
}

/** A picture with as much detail as a photo, so that it weighs as much. */
async function makePhoto(): Promise<Buffer> {
  const { width, height, quality } = PHOTO;
  const noise = { type: 'gaussian', mean: 128, sigma: 45 } as const;
  const grain = { create: { width: width / 8, height: height / 8, channels: 3 as const, background: '#888', noise } };
  return await sharp(await sharp(grain).resize(width, height, { kernel: 'cubic' }).png().toBuffer())
    .tint('#4a7a8c')
    .jpeg({ quality })
    .toBuffer();
}

/** The item of a car that is like no other. @param photos the address of the seller's photos */
function itemOf(carNumber: number, photos: string) {
  const photo = { image: { uri: `${photos}/${carNumber}.jpg`, width: PHOTO.width, height: PHOTO.height } };
  return {
    id: `pages-${carNumber}`,
    marketplace_listing_title: `${2010 + (carNumber % 14)} Toyota Camry SE · Car ${carNumber}`,
    listing_price: { amount: `${12_000 + 37 * carNumber}.00`, currency: 'USD' },
    location: PASADENA,
    primary_listing_photo: photo,
    listing_photos: [photo],
    creation_time: Math.floor(Date.now() / 1000),
    vehicle_condition: 'GOOD',
    vehicle_transmission_type: 'AUTOMATIC',
    vehicle_odometer_data: { unit: 'MILES', value: 3_000 + ((carNumber * 7_919) % 190_000) },
    is_live: true,
    is_pending: false,
    is_sold: false,
    url: `https://market.example/item/pages-${carNumber}.html`,
  };
}

/** Starts LotWatch with the built web app, a buyer, an alert and `matches` cars with photos. */
export async function startScene(matches: number): Promise<Scene> {
  await buildWeb(new AbortController().signal);
  const photo = await makePhoto();
  const running: (() => PromiseLike<void>)[] = [];
  const stop = async () => {
    for (const end of running.splice(0).reverse()) await end();
  };
  try {
    const seller = await startLocalServer((_, response) => {
      response.setHeader('content-type', 'image/jpeg').end(photo);
    });
    running.push(seller.close);
    const db = await startThrowAway();
    running.push(() => db[Symbol.asyncDispose]());
    // The seller is on this machine, so its source must be allowed to use private addresses.
    const settings = JSON.stringify({ url: `${seller.url}/items`, allowPrivateNetwork: true });
    await db.pool.query('insert into sources (name, kind, settings) values ($1, $2, $3)', [SOURCE, 'push', settings]);
    const { url, stop: stopLotWatch } = await startLotWatch(db, { env: { RATE_LIMITS: 'off' } });
    running.push(stopLotWatch);
    const account = await register(url, 'buyer-of-the-pages', 'a password of the benchmark');
    const buyer = personAt(url, account);
    const alertId = await createAlert(buyer, ALERT);
    const countMatches = async () => {
      const { alert } = await buyer.ask<{ alert: { matchCount: number } }>(`{ alert(id: ${alertId}) { matchCount } }`);
      return alert.matchCount;
    };
    const list = async (carNumbers: readonly number[]) => {
      const items = carNumbers.map((carNumber) => itemOf(carNumber, seller.url));
      await push({ url, ingestToken: INGEST_TOKEN }, SOURCE, items);
    };
    await list(Array.from({ length: matches }, (_, at) => at + 1));
    await untilTrue('the matches', TIMEOUT_MS, async () => (await countMatches()) === matches);
    return { url, buyer, cookies: account.cookies, alertId, photo, list, countMatches, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
