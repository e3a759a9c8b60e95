import { matchCountText } from '../domain/match-cap.ts';
import { jpegInWidth } from '../domain/photo-sizes.ts';
import { dollars } from '../domain/prices/price-words.ts';
import { type EndedCar, endedHeading } from './ended-cars.ts';
import { countedMatches, oneLine, webAddress } from './mail-layout.ts';
import { type MailCar, placeWords, priceWords } from './match-mails.ts';

interface PushWords {
  id: string;
  /** 'Toyota Camry' */
  alertName: string;
  /** 'Los Angeles, CA' */
  alertPlace: string;
  /** The page that a press opens. */
  url: string;
  /** The cars that are named, at least one unless cars are no longer for sale. */
  cars: readonly MailCar[];
  /** How many cars the message is about. */
  count: number;
  /** Cars that are no longer for sale, the first of `count`. */
  ended?: { shown: readonly EndedCar[]; count: number };
}

/**
 * Push services accept 4,096 bytes of encrypted content. These limits, in bytes of JSON, add up to less than 3,000 with the
 * names of the fields.
 */
const TITLE_BYTES = 300;
const BODY_BYTES = 1_200;
const ADDRESS_BYTES = 500;
/** Most cars that the notification of several names; phones show few lines. */
const NAMED = 3;

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** Cuts a text to a number of bytes in JSON, with '…' at the end when it was cut. */
function cutTo(text: string, bytes: number): string {
  if (jsonBytes(text) <= bytes) return text;
  let kept = '';
  for (const character of text) {
    if (jsonBytes(`${kept}${character}…`) > bytes) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

const cutAddress = (address: string | null): string | null =>
  address !== null && jsonBytes(address) <= ADDRESS_BYTES ? address : null;

const titleWords = (car: MailCar): string => cutTo(oneLine(car.title), TITLE_BYTES - 60) || 'Car';
const before = ({ priceBefore }: MailCar): string => (priceBefore === null ? '' : `, was ${dollars(priceBefore)}`);

function line(car: MailCar): string {
  return `${titleWords(car)}, ${priceWords(car)}${before(car)}, ${placeWords(car)}`;
}

interface Pressed extends Pick<PushWords, 'cars' | 'ended'> {
  publicUrl: string;
  alertUrl: string;
  /** The listings that the message is about, those that are no longer for sale too. */
  listingIds: readonly number[];
}

/**
 * The page that a press opens: of one car the alert's page at its card, or that of saved cars where the car fits no alert any
 * more; and else the alert's page. Devices open only pages of ours.
 */
export function pressedPage({ publicUrl, alertUrl, cars, ended, listingIds }: Pressed): string {
  const [listingId, ...others] = listingIds;
  if (listingId === undefined || others.length > 0) return alertUrl;
  const [car] = cars;
  if (car?.followed === 'saved' || ended?.shown[0]?.isSaved) return `${publicUrl}/saved`;
  return car && !car.followed ? `${alertUrl}?car=${listingId}` : alertUrl;
}

/**
 * The notification about matches, as a device shows it: of one car its title, price, place and photo; of several the first
 * ones. In JSON it takes less than 3,000 bytes.
 */
export function pushCard({ id, alertName, alertPlace, url, cars, count, ended }: PushWords) {
  const [car] = cars;
  const named = `${alertName} near ${oneLine(alertPlace)}`;
  const photo = webAddress(car?.photo ?? null);
  const image = cutAddress(photo && jpegInWidth(photo, 640));
  const rest = { url, image, tag: id };
  const endedWords = ended && ended.count > 0 ? endedHeading(ended.shown, ended.count) : null;
  if (!car) return { title: cutTo(endedWords ?? named, TITLE_BYTES), body: cutTo(named, BODY_BYTES), ...rest };
  if (count === 1 && endedWords === null) {
    const title = `${titleWords(car)} · ${priceWords(car)}${before(car)}`;
    return { title: cutTo(title, TITLE_BYTES), body: cutTo(`${placeWords(car)}\n${named}`, BODY_BYTES), ...rest };
  }
  const lines = cars.slice(0, NAMED).map(line);
  const more = count - lines.length;
  const others = [...(more > 0 ? [`and ${matchCountText(more)} more`] : []), ...(endedWords ? [endedWords] : [])];
  const body = [...lines, ...others].join('\n');
  return {
    title: cutTo(`${countedMatches(count, 'car', 'cars')}: ${named}`, TITLE_BYTES),
    body: cutTo(body, BODY_BYTES),
    ...rest,
  };
}
