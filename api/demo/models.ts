export type Body = 'sedan' | 'hatchback' | 'coupe' | 'suv' | 'pickup' | 'van';

export interface DemoModel {
  make: string;
  model: string;
  /** How often it is for sale, relative to the others. */
  weight: number;
  body: Body;
  /** The price when new, in dollars. */
  newPrice: number;
  /** The plainest first. */
  trims: readonly string[];
}

/** make, then model | weight | body | new price in thousands | trims; the slugs of the catalogue. */
const table = `
toyota: camry|40|sedan|30|LE,SE,XLE,XSE  corolla|38|sedan|24|L,LE,S,SE  rav4|30|suv|32|LE,XLE,Limited  tacoma|26|pickup|36|SR5,TRD Off-Road,TRD Sport
toyota: highlander|16|suv|42|LE,XLE,Limited  prius|18|hatchback|29|LE,Two,Three  tundra|12|pickup|45|SR5,Limited  sienna|11|van|40|LE,XLE  4runner|14|suv|44|SR5,TRD Off-Road,Limited
honda: civic|42|sedan|25|LX,EX,Sport,Si  accord|40|sedan|29|LX,EX,EX-L,Sport  cr-v|32|suv|32|LX,EX,EX-L  odyssey|14|van|40|EX,EX-L,Touring  pilot|14|suv|41|EX,EX-L,Touring  fit|7|hatchback|18|LX,EX
ford: f-150|44|pickup|42|XL,XLT,Lariat  escape|20|suv|30|S,SE,Titanium  explorer|20|suv|40|Base,XLT,Limited  mustang|20|coupe|34|V6,EcoBoost,GT  fusion|20|sedan|24|S,SE,Titanium  focus|16|hatchback|20|S,SE,ST  f-250|10|pickup|52|XL,XLT,Lariat
chevrolet: silverado-1500|38|pickup|40|Work Truck,LS,LT,LTZ  malibu|18|sedan|26|LS,LT,Premier  equinox|20|suv|29|LS,LT,Premier  tahoe|14|suv|58|LS,LT,LTZ  camaro|12|coupe|32|LT,SS  impala|12|sedan|30|LS,LT  cruze|12|sedan|20|LS,LT
nissan: altima|28|sedan|27|2.5 S,2.5 SV,SR  rogue|20|suv|30|S,SV,SL  sentra|18|sedan|22|S,SV,SR  frontier|9|pickup|32|S,SV  maxima|8|sedan|38|S,SV,SL
jeep: wrangler|24|suv|38|Sport,Sahara,Rubicon  grand-cherokee|22|suv|42|Laredo,Limited,Overland  cherokee|12|suv|32|Sport,Latitude
ram: 1500|24|pickup|42|Tradesman,Big Horn,Laramie  2500|8|pickup|52|Tradesman,Big Horn
gmc: sierra-1500|18|pickup|44|SLE,SLT,Denali  acadia|9|suv|38|SLE,SLT  yukon|8|suv|64|SLE,SLT,Denali
hyundai: elantra|20|sedan|22|SE,SEL,Limited  sonata|18|sedan|28|SE,SEL,Limited  tucson|12|suv|29|SE,SEL  santa-fe|10|suv|34|SE,SEL
kia: optima|12|sedan|25|LX,EX  soul|12|hatchback|22|Base,Plus  sorento|11|suv|33|LX,EX  forte|11|sedan|21|LX,S
bmw: 3-series|18|sedan|46|  5-series|9|sedan|60|  x5|9|suv|66|
mercedes-benz: c-class|14|sedan|48|  e-class|8|sedan|63|  gle|5|suv|64|
volkswagen: jetta|15|sedan|23|S,SE,SEL  passat|8|sedan|27|S,SE  tiguan|9|suv|30|S,SE  golf|6|hatchback|24|S,SE
subaru: outback|15|suv|31|Base,Premium,Limited  forester|13|suv|30|Base,Premium  impreza|8|hatchback|23|Base,Premium  wrx|6|sedan|33|Base,Premium
dodge: charger|15|sedan|36|SXT,R/T  challenger|11|coupe|36|SXT,R/T  grand-caravan|10|van|30|SE,SXT  durango|8|suv|42|SXT,GT
mazda: mazda3|12|sedan|24|i Sport,i Touring  cx-5|11|suv|30|Sport,Touring  mx-5-miata|4|coupe|30|
lexus: rx|9|suv|50|  es|9|sedan|44|  nx|7|suv|42|
tesla: model-3|14|sedan|40|Standard Range,Long Range  model-y|9|suv|46|Long Range,Performance  model-s|5|sedan|78|
acura: tlx|6|sedan|42|  mdx|7|suv|50|
audi: a4|9|sedan|42|  q5|7|suv|46|
cadillac: escalade|6|suv|82|  cts|5|sedan|46|
chrysler: 300|8|sedan|36|  town-country|7|van|32|  pacifica|5|van|40|
buick: enclave|5|suv|45|  lacrosse|4|sedan|32|
infiniti: g37|6|coupe|38|  q50|6|sedan|43|
lincoln: navigator|4|suv|84|  mkz|4|sedan|37|
mitsubishi: lancer|5|sedan|20|  outlander|5|suv|28|
mini: cooper|6|hatchback|28|
porsche: cayenne|3|suv|76|  911|2|coupe|115|
volvo: xc90|4|suv|58|  s60|4|sedan|41|
land-rover: range-rover-sport|3|suv|84|
pontiac: g6|3|sedan|22|  vibe|2|hatchback|19|
saturn: ion|2|sedan|17|  vue|2|suv|22|
scion: tc|4|coupe|20|
mercury: grand-marquis|3|sedan|28|
genesis: g70|2|sedan|42|
jaguar: xf|2|sedan|50|
fiat: 500|2|hatchback|19|
alfa-romeo: giulia|2|sedan|44|
hummer: h3|2|suv|38|
rivian: r1t|1|pickup|74|
maserati: ghibli|1|sedan|80|
bentley: continental-gt|1|coupe|220|
`;

function readModels(): DemoModel[] {
  const models: DemoModel[] = [];
  for (const line of table.trim().split('\n')) {
    const [make = '', rest = ''] = line.split(': ');
    for (const entry of rest.split(/ {2,}/)) {
      const [model = '', weight, body, thousands, trims = ''] = entry.split('|');
      models.push({
        make,
        model,
        weight: Number(weight),
        body: body as Body,
        newPrice: Number(thousands) * 1000,
        trims: trims === '' ? [] : trims.split(','),
      });
    }
  }
  return models;
}

/** The models that are sold in the US, roughly in their proportions. */
export const demoModels: readonly DemoModel[] = readModels();
