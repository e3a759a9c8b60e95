/** What a category, a type or a body style says that an advert is. */
export type AdvertKind =
  | 'car'
  | 'part'
  | 'motorcycle'
  | 'camper'
  | 'boat'
  | 'machine'
  | 'toy'
  | 'home'
  | 'service'
  | 'rental'
  | 'wanted'
  | 'goods';

/** Categories that Facebook names by number only; `vehicles` there are motorcycles and trailers too. */
const facebookCategories = new Map<string, AdvertKind>([
  ['807311116002614', 'car'],
  ['757715671026531', 'part'],
  ['821056594720130', 'home'],
  ['1468271819871448', 'home'],
]);

/** The first that fits wins: `toy cars` are toys, `car parts` parts, `mobile homes` campers. */
const kindWords: readonly (readonly [AdvertKind, RegExp])[] = [
  ['wanted', /\bwanted\b/],
  ['service', /\b(services?|repairs?|detailing|financing|loans?|jobs|insurance|towing)\b/],
  [
    'part',
    /\b(parts?|accessor(y|ies)|tires?|wheels|rims|(car|auto|vehicle) (seats?|audio|electronics|stereos?|care))\b/,
  ],
  ['toy', /\b(toys?|games?|die ?casts?|collectibles?|hobb(y|ies)|memorabilia|baby|kids)\b/],
  ['camper', /\b(rvs?|campers?|camping|caravans|motor ?homes?|mobile homes?|trailers?|recreational vehicles?)\b/],
  [
    'motorcycle',
    /\b(motor ?(cycles?|bikes?)|motorized bicycles?|scooters?|mopeds?|dirt ?bikes?|atvs?|utvs?|quads?|power ?sports?|snowmobiles?|golf carts?|(all terrain|off road|utility task) vehicles?)\b/,
  ],
  ['boat', /\b(boats?|boating|water ?crafts?|jet ?skis?|marine|yachts?)\b/],
  ['machine', /\b(tractors?|machinery|heavy equipment|aircrafts?|air ?planes?|aviation|bus(es)?|industrial)\b/],
  ['rental', /\b(rent|rentals?|leas(e|es|ing))\b/],
  ['home', /\b(homes?|houses?|housing|apartments?|propert(y|ies)|real estate|rooms?|land)\b/],
  [
    'car',
    /\b(cars?|trucks?|(mini)?vans?|suvs?|crossovers?|autos?|automobiles?|automotive|pick ?ups?|vehicles?|motors|sedans?|saloons?|coupes?|hatchbacks?|wagons?|convertibles?|roadsters?|cabriolets?|cab)\b/,
  ],
  [
    'goods',
    /\b(electronics?|phones?|computers?|furniture|appliances?|garden|tools?|apparel|clothing|clothes|shoes|jewelry|beauty|health|pets?|musical?|instruments?|office|sports?|sporting|books?|movies|antiques?|art|household|farm|free|general|misc|miscellaneous|classifieds)\b/,
  ],
];

const MAX_CATEGORY = 300;

/** A source has few categories, and each item names some of them. */
const knownKinds = new Map<string, AdvertKind | null>();
const MAX_KNOWN = 500;

function kindOfPart(text: string): AdvertKind | null {
  return kindWords.find(([, words]) => words.test(text))?.[0] ?? null;
}

/** `Cars & Motorcycles` says nothing about one of them, but `Parts & Accessories` does. */
function kindOfSegment(text: string): AdvertKind | null {
  const kinds = new Set(text.split(/[,&+/]|\b(?:and|or)\b/).flatMap((part) => kindOfPart(part) ?? []));
  if (kinds.has('car') && kinds.size > 1) return null;
  return kinds.values().next().value ?? null;
}

/**
 * What an advert is by one of its categories or types: `807311116002614`, `Auto Parts`, `RV_CAMPER`,
 * `https://schema.org/MotorizedBicycle`, `Motors > Cars & Trucks`; the end of a path speaks first. null: it doesn't say.
 */
export function kindOf(category: string): AdvertKind | null {
  if (category.length > MAX_CATEGORY) return readKind(category);
  const known = knownKinds.get(category);
  if (known !== undefined) return known;
  const kind = readKind(category);
  if (knownKinds.size >= MAX_KNOWN) knownKinds.clear();
  knownKinds.set(category, kind);
  return kind;
}

function readKind(category: string): AdvertKind | null {
  const text = category.slice(0, MAX_CATEGORY).trim();
  if (/^\d{12,}$/.test(text)) return facebookCategories.get(text) ?? 'goods';
  const plain = text
    .replace(/^https?:\/\/(www\.)?schema\.org\//i, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/(?<=\w)[_-](?=\w)/g, ' ')
    .toLowerCase();
  for (const segment of plain.split(/[>|»:]|\s[/–-]\s/).reverse()) {
    const kind = kindOfSegment(segment);
    if (kind) return kind;
  }
  return null;
}
