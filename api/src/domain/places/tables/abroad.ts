import { placeKey, placeWords } from '../place-names.ts';

/** Thousands of people in large foreign cities whose name, or nearly so, some US place has too. Rounded facts. */
const cities = `
Toronto 2930, Montreal 1760, Calgary 1310, Ottawa 1020, Edmonton 1010, Winnipeg 750, Mississauga 720, Brampton 660,
Hamilton 570, Quebec City 550, Surrey 570, Laval 440, Halifax 440, London 8900, Markham 340, Vaughan 320, Gatineau 290,
Saskatoon 270, Kitchener 260, Burnaby 250, Windsor 230, Regina 230, Vancouver 660, Niagara Falls Ontario 95,
Tijuana 1810, Ciudad Juarez 1510, Juarez 1510, Monterrey 1140, Guadalajara 1390, Mexico City 9200, Puebla 1540, Leon 1580,
Mexicali 1050, Hermosillo 860, Chihuahua 930, Saltillo 860, Nuevo Laredo 420, Matamoros 510, Reynosa 690, Merida 920,
Cancun 890, Queretaro 800, Torreon 690, Culiacan 810, Acapulco 660, Ensenada 330, Veracruz 430, Durango 620,
Nogales Sonora 260, Havana 2140, Kingston 580, Santo Domingo 1030, Panama 1500, Panama City Panama 1500, Bogota 7400,
Medellin 2500, Cali 2200, Lima 10000, Quito 1800, Caracas 2000, Santiago 6200, Buenos Aires 3100, Sao Paulo 12000,
Rio de Janeiro 6700, Brasilia 3000, Manchester 550, Birmingham 1140, Liverpool 490, Glasgow 630, Edinburgh 520,
Dublin 590, Belfast 340, Cardiff 360, Leeds 800, Sheffield 560, Bristol 470, Paris 2100, Marseille 870, Lyon 520,
Berlin 3700, Hamburg 1850, Munich 1500, Cologne 1080, Frankfurt 760, Vienna 1950, Zurich 430, Geneva 200, Amsterdam 900,
Rotterdam 650, Brussels 1200, Antwerp 530, Liege 195, Madrid 3300, Barcelona 1600, Valencia 800, Seville 680,
Lisbon 550, Rome 2750, Milan 1370, Naples 910, Turin 850, Florence 360, Venice 250, Athens 640, Istanbul 15000,
Ankara 5700, Moscow 13000, St Petersburg 5600, Warsaw 1860, Prague 1300, Budapest 1700, Bucharest 1700, Odessa 1000,
Kiev 2900, Kyiv 2900, Copenhagen 650, Stockholm 980, Oslo 700, Helsinki 660, Cairo 10000, Alexandria 5200, Lagos 15000,
Nairobi 4400, Johannesburg 5600, Cape Town 4600, Casablanca 3400, Dubai 3500, Baghdad 7700, Tehran 9000, Jerusalem 980,
Tel Aviv 470, Beirut 2000, Damascus 2000, Delhi 32000, New Delhi 250, Mumbai 20000, Bombay 20000, Calcutta 14000,
Madras 7000, Karachi 16000, Lahore 13000, Dhaka 10000, Bangkok 10500, Hanoi 8000, Manila 1850, Jakarta 10500,
Singapore 5900, Hong Kong 7400, Shanghai 24000, Peking 21000, Beijing 21000, Canton 18000, Taipei 2500, Seoul 9400,
Tokyo 14000, Osaka 2700, Kyoto 1450, Sydney 5300, Melbourne 5100, Perth 2200, Brisbane 2500, Adelaide 1400,
Auckland 1650, Wellington 215`;

/** Provinces and parts of countries, which stand behind a foreign city's name; countries come from the system. */
const regions = `ontario, on, quebec, qc, british columbia, bc, alberta, ab, manitoba, mb, saskatchewan, sk, nova scotia, ns,
new brunswick canada, nb, newfoundland, nl, labrador, prince edward island, pei, yukon, yt, nunavut, northwest territories,
can, mex, baja, baja california, baja california sur, sonora, chihuahua, coahuila, nuevo leon, tamaulipas, jalisco,
sinaloa, guanajuato, michoacan, cdmx, edomex, df, uk, u k, england, scotland, wales, northern ireland, britain,
great britain, gbr, holland, korea, czech republic, turkey, europe, africa, asia, nsw, burma, congo, uae, au, nz, jp, fr, mx, br`;

const ours = new Set('US PR GU VI AS MP UM GE'.split(' '));
const LARGE = 20_000;
/** A name alone means the foreign city when more than this many times as many people live there. */
const FAMOUS_RATIO = 100;
const MOST_WORDS = 4;

const keyOf = (name: string) => placeKey(placeWords(name));

let countryKeys: Set<string> | undefined;

/** Every country's name that the system knows. Source: ISO 3166 through CLDR. */
function countries(): Set<string> {
  if (countryKeys) return countryKeys;
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  const made = new Set<string>();
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  for (const first of letters) {
    for (const second of letters) {
      const code = first + second;
      const name = ours.has(code) ? code : names.of(code);
      if (name !== undefined && name !== code) made.add(keyOf(name));
    }
  }
  countryKeys = made;
  return made;
}

const regionKeys = new Set(regions.split(/,\s+/).map(keyOf));
const peopleByCity = new Map(
  cities
    .trim()
    .split(/,\s+/)
    .map((city) => [keyOf(city.replace(/ \d+$/, '')), Number(/\d+$/.exec(city)?.[0]) * 1000] as const),
);

/** Whether the words end in a foreign country or province that stands behind a name: `paris france`, `vancouver bc`. */
export function isAbroad(words: readonly string[]): boolean {
  for (let count = 1; count <= Math.min(MOST_WORDS, words.length - 1); count++) {
    const key = placeKey(words.slice(-count));
    if (regionKeys.has(key) || countries().has(key)) return true;
  }
  return false;
}

/** Whether a name without a state means a foreign city or country rather than a US place of this many people. */
export function meansAbroad(key: string, population: number): boolean {
  const people = peopleByCity.get(key);
  if (people !== undefined) return people > population * FAMOUS_RATIO;
  return population < LARGE && (countries().has(key) || regionKeys.has(key));
}
