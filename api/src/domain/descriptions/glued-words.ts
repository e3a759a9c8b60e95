/**
 * Words of facts that stand joined to their neighbours where a line's end was lost: `CARFAX76k miles`, `GASOLINEFRONT`,
 * `Clean TitleAsking`.
 */
const facts: ReadonlySet<string> = new Set(
  'title miles mileage odometer salvage rebuilt clean gasoline automatic manual transmission vehicle drive awd fwd rwd'.split(
    ' ',
  ),
);
const firstLetters: ReadonlySet<number> = new Set([...facts].map((word) => word.charCodeAt(0)));
const SHORTEST = 'awd'.length;
const LONGEST = 'transmission'.length;
const MIN_CAPITALS = 7;
/** Longer words are codes. */
const MAX_WORD = 40;

const [COMMA, POINT, HYPHEN, BLANK, STAR, SMALL_X] = [44, 46, 45, 32, 42, 120];
const isUpper = (code: number) => code >= 65 && code <= 90;
const isLower = (code: number) => code >= 97 && code <= 122;
const isDigit = (code: number) => code >= 48 && code <= 57;

export interface Split {
  /** Where the second word begins. */
  at: number;
  /** Whether both parts belong together, as in `CleanTitle`. */
  isPhrase: boolean;
}

/** The letters from `at` on that are of one case, after a first capital. */
function runEnd(text: string, at: number, end: number): number {
  const isSame = isUpper(text.charCodeAt(at + 1)) ? isUpper : isLower;
  let to = at + 1;
  while (to < end && to - at <= LONGEST && isSame(text.charCodeAt(to))) to++;
  return to;
}

const isLetter = (code: number) => isUpper(code) || isLower(code);
/** Whether three letters stand before; one is an engine's: `1.8L141,700 miles`. */
const isNamed = (text: string, start: number, at: number): boolean =>
  at - start >= 3 && [1, 2, 3].every((step) => isLetter(text.charCodeAt(at - step)));

const onlyDigits = (text: string, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (!isDigit(text.charCodeAt(at))) return false;
  return to - from <= 6;
};

const isFact = (text: string, from: number, to: number): boolean =>
  to - from >= SHORTEST &&
  to - from <= LONGEST &&
  firstLetters.has(text.charCodeAt(from) | 32) &&
  facts.has(text.slice(from, to).toLowerCase());

/** `76k miles`, `106700 miles`, `40,600 miles` */
function isMileage(text: string, at: number, end: number): boolean {
  const unit = text.charCodeAt(end) === COMMA ? text.slice(end + 4, end + 10) : text.slice(end, end + 6);
  if (unit.toLowerCase() === ' miles' && onlyDigits(text, at, end)) return true;
  const digits = end - 1 - at;
  const last = text.charCodeAt(end - 1) | 32;
  return digits >= 2 && digits <= 3 && last === 107 && text.slice(end, end + 5).toLowerCase() === ' mile';
}

/** `TITLENO ACCIDENTS`, `WHEEL DRIVEPASSED` */
const notTitled = /^title(?!d$|s$|ist|holder|work)[a-z]{2}/;
const notDriven = /^drive(?!n|r|s|t|way|able|line|ability)[a-z]{2}/;

const joinedCapitals = /GASOLINE|^TITLE|^DRIVE|^SALVAGEC|CLEAN$|REBUILT$/;

/** Where capitals alone tell nothing: `16VGASOLINEFRONT`, `TITLECLEAN`, `HORNREBUILT`. */
function capitalsAt(lower: string): number {
  const gasoline = lower.indexOf('gasoline');
  if (gasoline > 0) return gasoline;
  if (gasoline === 0 && lower.length > 'gasoline'.length) return 'gasoline'.length;
  if (notTitled.test(lower)) return 'title'.length;
  if (notDriven.test(lower)) return 'drive'.length;
  if (lower.startsWith('salvagec')) return 'salvage'.length;
  if (lower.endsWith('clean')) return lower.length - 'clean'.length;
  return lower.endsWith('rebuilt') ? lower.length - 'rebuilt'.length : 0;
}

/**
 * Where the word from `start` to before `end` of a text in its own case is to be split, if it is two words of which one
 * names a fact. Takes time in proportion to the word's length.
 */
export function splitOf(text: string, start: number, end: number): Split | null {
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    // Of a word's characters only its small letters.
    if (code > 96) continue;
    const before = text.charCodeAt(at - 1);
    if (isUpper(code) && isUpper(before)) {
      // `TITLEBlind spot`, `FWDGasoline`
      const isStart = at + 1 < end && isLower(text.charCodeAt(at + 1));
      if (isStart && (isFact(text, start, at) || isFact(text, at, runEnd(text, at, end))))
        return { at, isPhrase: false };
    } else if (isUpper(code)) {
      const isLeft = isFact(text, start, at);
      // `xDrive` is one word.
      const isRight = at - start > 1 && isFact(text, at, runEnd(text, at, end));
      if (isLeft || isRight) return { at, isPhrase: isLeft && isRight };
    } else if (isDigit(code) && !isDigit(before)) {
      if (isFact(text, start, at) || (isNamed(text, start, at) && isMileage(text, at, end)))
        return { at, isPhrase: false };
    }
  }
  if (end - start < MIN_CAPITALS || end - start > MAX_WORD || !isUpper(text.charCodeAt(end - 1))) return null;
  const word = text.slice(start, end);
  if (!joinedCapitals.test(word)) return null;
  const at = capitalsAt(word.toLowerCase());
  return at > 0 ? { at: start + at, isPhrase: false } : null;
}

const PLACES = 3;

/**
 * The thousand of which sellers hide places at `at`, behind a number's first digits: `142xxx`, `142,xxx`, `142-***`,
 * `142 xxx`, `142,3xx`. Null where nothing is hidden. Expects lower case.
 */
export function hiddenThousands(text: string, at: number): { value: number; end: number } | null {
  const code = text.charCodeAt(at);
  const isSplit = code === COMMA || code === POINT || code === HYPHEN || code === BLANK;
  const from = isSplit ? at + 1 : at;
  let first = from;
  if (code === COMMA) while (first < from + PLACES && isDigit(text.charCodeAt(first))) first++;
  const mark = text.charCodeAt(first);
  if (mark !== SMALL_X && mark !== STAR) return null;
  const end = from + PLACES;
  for (let index = first; index < end; index++) if (text.charCodeAt(index) !== mark) return null;
  const after = text.charCodeAt(end);
  if (isLower(after) || isDigit(after) || after === mark) return null;
  return { value: Number(text.slice(from, first).padEnd(PLACES, '0')), end };
}
