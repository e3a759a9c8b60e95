/**
 * The makes by the first three characters of a VIN, as makers register them with SAE and NHTSA (49 CFR 565.26) for cars that
 * are sold in North America. Plants that build for several makes have all of them; what is not certain is left out.
 */
const makers: Readonly<Record<string, string>> = {
  acura: '19U 2HH 2HN 5FR 5J8 JH4',
  'alfa-romeo': 'ZAR ZAS',
  'alfa-romeo dodge fiat jeep': 'ZAC',
  audi: 'TRU WA1 WAU WU1 WUA',
  bentley: 'SCB SJA',
  bmw: '3MF 3MW 4US 5UM 5UX 5YM WBA WBS WBX WBY',
  buick: '1G4 2G4 3G4 3G5 5GA KL4 LRB W04',
  cadillac: '1G6 1GY 2G6 3GY LRE W06',
  chevrolet: '1G1 1GA 1GB 1GC 1GN 1Y1 2C1 2CN 2G1 2GB 2GC 2GN 3G1 3GC 3GN 6G3 KL1 KL7 KL8',
  'chevrolet nissan': '3N6',
  'chrysler dodge fiat jeep ram volkswagen': '1C3 1C4 1C6 1C7 1C8 2C3 2C4 2C7 2C8 3C3 3C4 3C6 3C7 3C8',
  'chrysler dodge': '1A4 1A8 2A4 2A8 3A4 3A8 4C3',
  'dodge ram':
    '1B3 1B4 1B5 1B6 1B7 1D3 1D4 1D5 1D7 1D8 2B3 2B4 2B5 2B6 2B7 2D3 2D4 2D5 2D6 2D7 2D8 3B3 3B6 3B7 3D2 3D3 3D4 3D6 3D7 4B3 JB3 JB4 JB7',
  'dodge mercedes-benz': 'WD0 WD1 WD2 WD5 WDP',
  fiat: 'JC1 ZFA',
  'fiat ram': 'ZFB',
  ford: '1FA 1FB 1FC 1FD 1FM 1FT 2FA 2FD 2FM 2FT 3FA 3FE 3FM 3FR 3FT KNJ MAJ NM0 WF0',
  'ford mercury': '1ZV',
  genesis: 'KMT KMU',
  gmc: '1GD 1GJ 1GK 1GT 2CT 2GD 2GK 2GT 3GD 3GK 3GT',
  honda: '19X 1HG 2HG 2HJ 2HK 3CZ 3GP 3HG 4S6 5FN 5FP 5J6 5KB 7FA JHL JHM SHH',
  hummer: '137 5GN 5GR 5GT',
  hyundai: '2HM 5NP 5NT KM8',
  'hyundai genesis': '5NM KMH',
  'hyundai kia': '3KP 5XY',
  infiniti: '3PC 5N3 JNK JNR SJK',
  'infiniti nissan': '5N1 JN1 JN8',
  jaguar: 'SAD SAJ',
  jeep: '1J4 1J7 1J8',
  kia: '5XX KNA KND',
  'land-rover': 'SAL',
  lexus: '2T2 58A JT6 JT8 JTH JTJ',
  lincoln: '1LN 2LM 2LN 3LN 5L1 5LM 5LT',
  maserati: 'ZAM ZN6',
  mazda: '1YV 3MD 3MV 3MZ 4F2 4F4 7MM JM1 JM2 JM3',
  'mazda scion toyota': '3MY',
  'mercedes-benz': '4JG 55S 8BR 8BT W1K W1N W1V W1W W1X W1Y WD3 WD4 WDB WDC WDD WDF WDY WDZ WMX',
  mercury: '1ME 1ZW 2ME 2MR 3ME 4M2 6MP',
  mini: 'WMW WMZ',
  mitsubishi: '1Z7 4A3 4A4 6MM JA3 JA4 JA7 ML3',
  nissan: '1N4 1N6 3N1 3N8 4N2 5BZ JN6 KNM',
  pontiac: '1G2 1GM 2CK 2G2 3G2 3G7 5Y2 6G2 KL2',
  porsche: 'WP0 WP1',
  rivian: '7FC 7PD',
  saturn: '1G8 3GS 5GZ W08',
  'scion toyota': 'JTD JTK JTL JTN',
  'scion subaru toyota': 'JF1',
  subaru: '4S3 4S4 JF2',
  tesla: '5YJ 7G2 7SA SFZ',
  toyota: '1NX 2T1 2T3 3TM 3TY 4T1 4T3 4T4 4TA 5TB 5TD 5TE 5TF 5YF 7MU JT2 JT3 JT4 JT5 JTE JTM WZ1',
  volkswagen: '1V1 1V2 1VW 2V4 2V8 3VV 3VW 9BW WV1 WV2 WV3 WVG WVW',
  volvo: '7JD 7JR LVY LYV YV1 YV4',
};

/** Each maker's code with the slugs of the makes that it builds. */
export const makerCodes: readonly (readonly [code: string, makes: readonly string[]])[] = Object.entries(
  makers,
).flatMap(([makes, codes]) => codes.split(' ').map((code) => [code, makes.split(' ')] as const));
const makesByMaker = new Map(makerCodes);

/** The slugs of the makes that a VIN's maker builds; none for a maker that is not known. @param vin 17 characters */
export const makesOf = (vin: string): readonly string[] => makesByMaker.get(vin.slice(0, 3)) ?? [];

/**
 * The models by how a VIN begins, where one series of the maker's guide for VINs, which it files with NHTSA, is one of our
 * models or few, with those that sellers call it. `*` stands for any character.
 */
export const series: readonly (readonly [beginning: string, make: string, models: string])[] = [
  ['1HGC', 'honda', 'accord'],
  ['5FNRL', 'honda', 'odyssey'],
  ['5FNYF', 'honda', 'pilot passport'],
  ['5FPYK', 'honda', 'ridgeline'],
  ['19XF', 'honda', 'civic'],
  ['2HGF', 'honda', 'civic'],
  ['2T1BR', 'toyota', 'corolla'],
  ['2T1BU', 'toyota', 'corolla'],
  ['2T3', 'toyota', 'rav4 rav4-prime'],
  ['3TM', 'toyota', 'tacoma'],
  ['3TY', 'toyota', 'tacoma'],
  ['JTDKB', 'toyota', 'prius'],
  ['JTDKN', 'toyota', 'prius prius-prime'],
  ['1FA6P8', 'ford', 'mustang shelby-gt350 shelby-gt500'],
  ['1FADP3', 'ford', 'focus'],
  ['1FMCU', 'ford', 'escape'],
  ['1FM5K7', 'ford', 'explorer'],
  ['1FM5K8', 'ford', 'explorer'],
  ['2FMDK', 'ford', 'edge'],
  ['2FMPK', 'ford', 'edge'],
  ['3FA6P0', 'ford', 'fusion'],
  ['3FADP4', 'ford', 'fiesta'],
  ['1FT*W1', 'ford', 'f-150 f-150-lightning'],
  ['1FT*X1', 'ford', 'f-150'],
  ['1FT7W2', 'ford', 'f-250'],
  ['1FT7X2', 'ford', 'f-250'],
  ['1FT8W3', 'ford', 'f-350'],
  ['1FT8X3', 'ford', 'f-350'],
  ['1G1Y', 'chevrolet', 'corvette'],
  ['1G1F', 'chevrolet', 'camaro bolt-ev bolt-euv'],
  ['1G1Z', 'chevrolet', 'malibu'],
  ['1N4AL', 'nissan', 'altima'],
  ['1N4BL', 'nissan', 'altima'],
  ['1N4AA', 'nissan', 'maxima'],
  ['1N4AZ', 'nissan', 'leaf'],
  ['3N1AB', 'nissan', 'sentra'],
  ['5N1AT2', 'nissan', 'rogue'],
  ['KNMAT2', 'nissan', 'rogue'],
  ['5YJ3', 'tesla', 'model-3'],
  ['5YJS', 'tesla', 'model-s'],
  ['5YJX', 'tesla', 'model-x'],
  ['5YJY', 'tesla', 'model-y'],
  ['7SAY', 'tesla', 'model-y'],
  ['7SAX', 'tesla', 'model-x'],
  ['JF2S', 'subaru', 'forester'],
  ['1C4BJ', 'jeep', 'wrangler'],
  ['1C4HJ', 'jeep', 'wrangler'],
  ['1C6HJ', 'jeep', 'gladiator'],
  ['1C6JJ', 'jeep', 'gladiator'],
  ['1C4RJ', 'jeep', 'grand-cherokee grand-cherokee-l cherokee'],
  ['1C4RDH', 'dodge', 'durango'],
  ['1C4RDJ', 'dodge', 'durango'],
  ['2C3CDX', 'dodge', 'charger'],
  ['2C3CDZ', 'dodge', 'challenger'],
  ['2C4RDG', 'dodge', 'grand-caravan caravan'],
  ['3C4PD', 'dodge', 'journey'],
  ['1C6RR', 'ram', '1500'],
  ['1C6SR', 'ram', '1500'],
  ['3C6RR', 'ram', '1500'],
  ['5NPE', 'hyundai', 'sonata'],
  ['5NPD', 'hyundai', 'elantra'],
  ['KM8J', 'hyundai', 'tucson'],
];

interface Series {
  beginning: string;
  make: string;
  models: readonly string[];
}

const seriesByMaker = new Map<string, Series[]>();
for (const [beginning, make, models] of series) {
  const maker = beginning.slice(0, 3);
  const all = seriesByMaker.get(maker) ?? [];
  all.push({ beginning, make, models: models.split(' ') });
  seriesByMaker.set(maker, all);
}

const fits = (vin: string, beginning: string) =>
  [...beginning].every((character, at) => character === '*' || character === vin[at]);

/** The make and the models that a VIN's series is; null where they are not known. @param vin 17 characters */
export function seriesOf(vin: string): Omit<Series, 'beginning'> | null {
  const found = seriesByMaker.get(vin.slice(0, 3))?.find(({ beginning }) => fits(vin, beginning));
  return found ? { make: found.make, models: found.models } : null;
}
