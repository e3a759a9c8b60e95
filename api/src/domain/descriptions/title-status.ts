import { isAnsweredNo, isDemand, isDenied, isDirectlyDenied, isWished } from './contexts.ts';
import type { Found, TitleStatus } from './found.ts';
import { Gap, gapBefore, isMoney, type SellerText, setOf, wordAt } from './seller-text.ts';

const titles = setOf('title titles titled tile titile tilte tittle titl titlee titel titule titulo titulos');
const salvages = setOf('salvage salvaged salavage salvge salvado salvada');
const rebuilts = setOf('rebuilt rebuild reconstructed reconstruido restored branded');
const cleans = setOf('clean clear cleaner cln cleen claen limpio limpia');
/** What one denial may cover together: `not salvage, rebuilt or flood`. */
const brands = setOf(
  'salvage salvaged salavage salvge salvages rebuilt rebuilts rebuild reconstructed restored branded flood floods lemon lemons lien liens junk title titles',
);
const states = setOf(
  'alabama al alaska ak arizona az arkansas ar california ca cali calif colorado co connecticut ct delaware de florida fl fla georgia ga hawaii hi idaho illinois il indiana iowa ia kansas ks kentucky ky louisiana maine maryland md massachusetts mass ma michigan mi mich minnesota mn mississippi ms missouri mo montana mt nebraska ne nevada nv new hampshire nh jersey nj mexico nm york ny north south carolina nc sc dakota nd sd ohio oh oklahoma ok oregon pennsylvania pa rhode island ri tennessee tn texas tx utah ut vermont vt virginia va washington wa west wv wisconsin wi wyoming wy dc us usa american',
);
/** What may stand between `clean` and `title`. */
const beforeTitle = setOf(
  'and clean clear cln carfax car fax autocheck history blue pink green state lien free open transferable valid good legit original 1 one owner vehicle legal paper',
);
/** What may stand between `title` and its status. */
const afterTitle = setOf(
  'is status history type brand branding condition are was currently has a still shows states says it',
);
/** Clean things that end no sentence about a title: `title in hand` and `title clean interior`. */
const cleanThings = setOf(
  'interior inside carfax car fax truck suv van body in autocheck exterior engine vehicle cloth leather seats out under',
);
/** What is rebuilt instead of the car: `clean title rebuilt engine`. */
const rebuiltThings = setOf(
  'engine engines motor motors transmission trans tranny carb carbs carburetor carburator alternator starter front rear top heads head differential diff suspension brake brakes turbo turbos block bottom v8 v6 350 transfer axle axles interior long short power steering calipers wheel injectors pump',
);
const salvageThings = setOf(
  'yard yards auction auctions value parts part engine motor transmission trans rights buyers buyer dealer dealers cars vehicles companies company pool bid lot',
);

interface Statement extends Found<TitleStatus> {
  /** Whether it names the title, and not only what the car is. */
  named: boolean;
}

const MAX_BETWEEN = 5;

/** Where `clean California title`, `clean, clear title` or `clean Carfax and title` begins; null for another title. */
function cleanBefore(text: SellerText, title: number): number | null {
  for (let at = title - 1; at >= Math.max(0, title - MAX_BETWEEN); at--) {
    if (gapBefore(text, at + 1) >= Gap.dash) return null;
    const word = wordAt(text, at);
    if (cleans.has(word)) return cleans.has(wordAt(text, at - 1)) && gapBefore(text, at) < Gap.dash ? at - 1 : at;
    if (!beforeTitle.has(word) && !states.has(word)) return null;
  }
  return null;
}

const statuses = setOf('clean clear salvage salvaged rebuilt branded lien');
const isOneOfSeveral = (text: SellerText, index: number): boolean =>
  statuses.has(wordAt(text, index)) &&
  statuses.has(wordAt(text, index + 1)) &&
  gapBefore(text, index + 1) === Gap.comma;

const MAX_AFTER = 4;

/** `**Title:** Clean` */
const isMarked = (text: SellerText, index: number): boolean =>
  /^:\s?\*{1,2}\s?$/.test(text.plain.slice(text.ends[index - 1], text.starts[index]).slice(0, 6));

/** What stands joined to the next line's first word: `STATUS: CLEANVISIT`. */
const joined = /^(clean|salvage|rebuilt|branded)(?=[a-z]{4,12}$)/;

/** What `title: clean`, `title status is salvage` or `California title clean` states. */
function statusAfter(text: SellerText, title: number): Statement | null {
  // `All vehicle titles are clean` is said of all cars.
  if (wordAt(text, title).endsWith('s')) return null;
  for (let at = title + 1; at <= title + MAX_AFTER; at++) {
    const gap = gapBefore(text, at);
    if ((gap === Gap.stop && !isMarked(text, at)) || gap === Gap.comma) return null;
    const word = (gap === Gap.colon && joined.exec(wordAt(text, at))?.[1]) || wordAt(text, at);
    const isLinked = at > title + 1 || gap === Gap.colon;
    const end = gapBefore(text, at + 1) >= Gap.comma;
    // `Title status (clean, rebuilt or salvage)` is said of all cars.
    if (isOneOfSeveral(text, at)) return null;
    const found = (status: TitleStatus): Statement => ({ value: status, from: title, to: at + 1, named: true });
    // `Title/History: Clean Carfax`
    const isHistory = cleans.has(word) && wordAt(text, at - 1) === 'history' && cleanThings.has(wordAt(text, at + 1));
    if (isHistory) return null;
    if (cleans.has(word)) return isLinked || end || !cleanThings.has(wordAt(text, at + 1)) ? found('clean') : null;
    if (salvages.has(word)) return isSalvagedAndRebuilt(text, at) ? found('rebuilt') : found('salvage');
    if (rebuilts.has(word)) return end || !rebuiltThings.has(wordAt(text, at + 1)) ? found('rebuilt') : null;
    if (word === 'lien') return isLinked && end ? found('lien') : null;
    if (word === 'parts' && wordAt(text, at + 1) === 'only') return found('parts_only');
    if (!afterTitle.has(word) && !states.has(word) && !titles.has(word)) return null;
  }
  return null;
}

const linking = setOf('and or now been then since title titles later');

/** `salvage, rebuilt`, `salvaged and restored`; not `salvage title, rebuilt engine`. */
function isSalvagedAndRebuilt(text: SellerText, salvage: number): boolean {
  for (let at = salvage + 1; at <= salvage + 3; at++) {
    if (gapBefore(text, at) >= Gap.dash) return false;
    const word = wordAt(text, at);
    if (rebuilts.has(word)) return gapBefore(text, at + 1) >= Gap.comma || !rebuiltThings.has(wordAt(text, at + 1));
    if (!linking.has(word)) return false;
  }
  return false;
}

function salvageAt(text: SellerText, index: number): Statement | null {
  const [second, first] = [wordAt(text, index - 1), wordAt(text, index - 2)];
  if (second === 'or' && statuses.has(first)) return null;
  const isClose = gapBefore(text, index + 1) < Gap.comma;
  const next = wordAt(text, index + 1);
  if (isClose && salvageThings.has(next)) return null;
  // `rebuilt salvage` is read at its first word.
  const isRebuilt = [1, 2, 3].some((step) => rebuilts.has(wordAt(text, index - step)));
  if (
    isRebuilt &&
    /^(?:from|a|title|and|or|now)$|^re/.test(wordAt(text, index - 1)) &&
    gapBefore(text, index) < Gap.comma
  )
    return null;
  const named = (isClose && titles.has(next)) || titles.has(wordAt(text, index - 1));
  const value = isSalvagedAndRebuilt(text, index) ? 'rebuilt' : 'salvage';
  return { value, from: index, to: index + 1, named };
}

/** `rebuilt title`, `rebuilt salvage`, `rebuilt/restored title`; a rebuilt car alone may have a new engine only. */
function rebuiltAt(text: SellerText, index: number): Statement | null {
  for (let at = index + 1; at <= index + 3; at++) {
    if (gapBefore(text, at) >= Gap.comma) return null;
    const word = wordAt(text, at);
    if (titles.has(word)) return { value: 'rebuilt', from: index, to: at + 1, named: true };
    if (salvages.has(word))
      return { value: 'rebuilt', from: index, to: at + 1, named: titles.has(wordAt(text, at + 1)) };
    if (!rebuilts.has(word) && !states.has(word) && word !== 'from' && word !== 'a' && word !== 'and' && word !== 'or')
      return null;
  }
  return null;
}

const lienEnds = setOf('free sale sales release released satisfied paid fee fees');
const owners = setOf('i we');
const lienFiller = setOf('a an small existing current still');
const lienOwners = setOf('has have is with');
const lienPlaces = setOf('on title');
const lienRests = setOf('left remaining remains of with from');
const holds = setOf('holds has have holding held');

/** `lien on the title`, `has a lien`, `bank holds the title`, `I still owe`. */
function lienAt(text: SellerText, index: number): Statement | null {
  const [before, word, next] = [wordAt(text, index - 1), wordAt(text, index), wordAt(text, index + 1)];
  const found: Statement = { value: 'lien', from: index, to: index + 1, named: true };
  if (word === 'owe')
    return (owners.has(before) || (before === 'still' && owners.has(wordAt(text, index - 2)))) && next !== 'you'
      ? found
      : null;
  if (word === 'bank' || word === 'lienholder' || (word === 'lien' && next === 'holder')) {
    const at = word === 'lien' ? index + 2 : index + 1;
    const isHeld = holds.has(wordAt(text, at)) && [1, 2, 3].some((step) => titles.has(wordAt(text, at + step)));
    return isHeld ? { ...found, to: at + 3 } : null;
  }
  if (word !== 'lien' && word !== 'lein') return null;
  if (gapBefore(text, index + 1) < Gap.comma && lienEnds.has(next)) return null;
  if (lienPlaces.has(next) && gapBefore(text, index + 1) < Gap.comma) return { ...found, to: index + 2 };
  let at = index - 1;
  while (at > index - 4 && lienFiller.has(wordAt(text, at))) at--;
  // `Small lien left to the bank`
  const isAmount = at < index - 1 && gapBefore(text, at + 1) >= Gap.comma && lienRests.has(next);
  return isAmount || lienOwners.has(wordAt(text, at)) ? found : null;
}

const partsSold = setOf('selling sold sell sale only strictly');
const partsThings = setOf('car vehicle truck van title');
const partsCovered = setOf('warranty labor labour discount covers oem and new on buy bought order');

const isCovered = (text: SellerText, index: number): boolean =>
  [1, 2, 3, 4, 5].some((step) => partsCovered.has(wordAt(text, index - step)));

/** `for parts only`, `sold as a parts car`; not `warranty on parts only`, `project or parts car`, `can be used for parts`. */
function partsAt(text: SellerText, index: number, isHeading: boolean): Statement | null {
  const [before, next] = [wordAt(text, index - 1), wordAt(text, index + 1)];
  const isClose = gapBefore(text, index) < Gap.dash;
  const found: Statement = { value: 'parts_only', from: isClose ? index - 1 : index, to: index + 2, named: false };
  // `Mercedes 240D + parts car`
  const isIncluded = /[+&]/.test(
    text.plain.slice(text.starts[Math.max(0, index - 3)], text.starts[index]).slice(0, 40),
  );
  const isChoice =
    isIncluded ||
    [-3, -2, -1, 1, 2].some((step) => /^(?:or|extra|another|could|also)$/.test(wordAt(text, index + step)));
  if (isChoice) return null;
  if (gapBefore(text, index + 1) < Gap.dash) {
    if (next === 'only') return isClose && isCovered(text, index) ? null : found;
    const isOne = isClose && (before === 'as' || (before === 'a' && /^(?:as|is)$/.test(wordAt(text, index - 2))));
    if (partsThings.has(next) && (isHeading || isOne)) return found;
  }
  if (before !== 'for' || !isClose) return null;
  return isHeading || partsSold.has(wordAt(text, index - 2)) || partsSold.has(wordAt(text, index - 3)) ? found : null;
}

function statementAt(text: SellerText, index: number, isHeading: boolean): Statement | null {
  const word = wordAt(text, index);
  if (titles.has(word)) {
    const from = cleanBefore(text, index);
    if (from !== null) return { value: 'clean', from, to: index + 1, named: true };
    const before = wordAt(text, index - 1);
    const isClose = gapBefore(text, index) < Gap.slash;
    if (before === 'r' && isClose) return { value: 'rebuilt', from: index - 1, to: index + 1, named: true };
    if ((before === 'flood' || before === 'junk') && isClose)
      return { value: 'salvage', from: index - 1, to: index + 1, named: true };
    if (before === 'blue' && isClose) return { value: 'clean', from: index - 1, to: index + 1, named: true };
    return statusAfter(text, index);
  }
  if (salvages.has(word)) return salvageAt(text, index);
  if (rebuilts.has(word)) return rebuiltAt(text, index);
  if (word === 'parts' || word === 'part' || word === 'partes') return partsAt(text, index, isHeading);
  return lienAt(text, index);
}

const rowFuels = setOf('gasoline gas diesel hybrid electric');

/** The status in a row of a table without its head: `AWD 4 6 Gasoline Rebuilt $6,000`. */
function rowStatuses(text: SellerText): Statement[] {
  const all: Statement[] = [];
  for (const index of text.found.fuel) {
    if (!rowFuels.has(wordAt(text, index)) || gapBefore(text, index + 1) !== Gap.blank) continue;
    if (gapBefore(text, index + 2) !== Gap.blank || !isMoney(text, index + 2)) continue;
    const word = wordAt(text, index + 1);
    const value = word === 'clean' || word === 'rebuilt' || word === 'salvage' ? word : null;
    if (value) all.push({ value, from: index + 1, to: index + 2, named: true });
  }
  return all;
}

const invitations = setOf('such only guarantee welcome wanted accepted ok okay considered');

/** `any other vehicle with a branded title` */
function isOthers(text: SellerText, index: number): boolean {
  for (let at = index; at > index - 5 && gapBefore(text, at) < Gap.comma; at--) {
    if (wordAt(text, at - 1) === 'other') return true;
  }
  return false;
}

const MAX_DEMAND = 20;

/** What a dealer asks of a car that he takes: `trade-ins must have a clean title`, `cars with a clean title qualify`. */
function isDemanded(text: SellerText, from: number, end: number): boolean {
  for (let at = from; at > Math.max(0, from - MAX_DEMAND) && gapBefore(text, at) < Gap.stop; at--)
    if (isDemand(text, at - 1)) return true;
  return [0, 1].some((step) => gapBefore(text, end + step) < Gap.stop && isDemand(text, end + step));
}

const stock = setOf('vehicles cars trucks suvs inventory units titles');

/** What a dealer says of all his cars: `all our vehicles have a clean title`, `clean title cars`, `clean titles`. */
function isOfStock(text: SellerText, from: number, end: number): boolean {
  if (wordAt(text, end - 1) === 'titles' || (gapBefore(text, end) < Gap.comma && stock.has(wordAt(text, end))))
    return true;
  for (let at = from; at > from - 8 && gapBefore(text, at) < Gap.stop; at--) {
    const isAll = [2, 3, 4].some((step) => /^(?:all|our|every|these)$/.test(wordAt(text, at - step)));
    if (isAll && stock.has(wordAt(text, at - 1))) return true;
  }
  return false;
}

/** Whether the statement speaks of this car, and holds. */
function holdsHere(text: SellerText, { value, from, to }: Statement): boolean {
  if (value === 'clean' ? isDirectlyDenied(text, from) : isDenied(text, from, brands)) return false;
  const end = titles.has(wordAt(text, to)) || wordAt(text, to) === 'history' ? to + 1 : to;
  if (isAnsweredNo(text, end) || isAnsweredNo(text, end + 1)) return false;
  if (value === 'clean' && isOfStock(text, from, end)) return false;
  if (isDemanded(text, from, end)) return false;
  if (gapBefore(text, end) < Gap.comma && invitations.has(wordAt(text, end))) return false;
  return !isOthers(text, from) && !isWished(text, from);
}

/**
 * The status of the car's title that a text states.
 * @param isHeading whether it is the advert's title, which is about the car as a whole
 */
export function readTitleStatus(text: SellerText, isHeading: boolean): Found<TitleStatus> | null {
  const all: Statement[] = rowStatuses(text);
  for (const index of text.found.title) {
    const statement = statementAt(text, index, isHeading);
    if (statement && holdsHere(text, statement)) all.push(statement);
  }
  if (all.length === 0) return null;
  const first = (value: TitleStatus, named: boolean) =>
    all.find((one) => one.value === value && (one.named || !named)) ?? null;
  return (
    first('lien', true) ??
    first('rebuilt', true) ??
    first('salvage', true) ??
    first('clean', true) ??
    first('rebuilt', false) ??
    first('salvage', false) ??
    first('parts_only', false)
  );
}
