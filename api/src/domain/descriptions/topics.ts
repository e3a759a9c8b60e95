/** What a word may state something about. */
export type Topic = 'title' | 'miles' | 'drive' | 'fuel' | 'gears' | 'body' | 'color' | 'price' | 'seller' | 'vin';

const words: Readonly<Record<Exclude<Topic, 'vin'>, string>> = {
  title:
    'title titles titled tile titile tilte tittle titl titlee titel titule titulo titulos salvage salvaged salavage salvge savage salvado salvada rebuilt rebuild rebuildable reconstructed reconstruido restored branded lien liens lienholder lein bank owe parts part partes junk flood lemon',
  miles:
    'mile miles mille milles mils mils mls mi ml mil milage mileage milege millage millas millaje km kms kilometers kilometres kilometer kilometre odometer odo odom od',
  drive:
    'xdrive28i xdrive30 xdrive30i xdrive30e xdrive35i xdrive35d xdrive40 xdrive40i xdrive45e xdrive50i xdrive50e x awd wd 4wd 4x4 fwd rwd 2wd 4x2 quattro xdrive 4matic 4motion drive drv 4wheel shawd',
  fuel: 'gas gasoline gasolina petrol unleaded flex flexfuel ffv e85 hybrid hybrids hybird hybred hibrido plug phev plugin diesel deisel diesal turbodiesel biodiesel tdi dsl duramax powerstroke stroke cummins ecodiesel bluetec crdi electric electrico bev ev',
  gears:
    'automatic automatico automatica automactic automic autmatic auto manual manuel stick standard estandar continuously cvt ecvt ivt xtronic tiptronic steptronic shiftronic dsg dct pdk sportronic clutch speed speeds spd sp 4spd 5spd 6spd 5sp 6sp 5speed 6speed 7speed 4speed transmission trans tranny at mt 5mt 6mt 5at 6at 7at 8at 9at 10at t',
  body: 'sedan sdn coupe cpe hatchback hatch wagon convertible cabriolet roadster suv crossover truck pickup minivan van cab crew supercrew supercab quad utility door doors dr 2dr 3dr 4dr 5dr 2d 3d 4d 5d 2door 4door 5door puertas cabriolet spyder',
  color:
    'black white silver gray grey blue red green yellow orange brown gold beige tan maroon burgundy purple charcoal champagne navy color colour exterior ext paint painted blk wht slvr',
  price:
    'obo o firm negotiable negociable nego neg ono offer offers lowball lowballs lowballers haggle down dn downpayment enganche mo month monthly mensual mensuales mes week weekly semana price asking ask sell reduced cash bo',
  seller:
    'owner owners owned dealer dealers dealership private privately privado fsbo financing finance financiamiento financed inventory lot stock stk trade trades doc warranty credit visit showroom our we my wife husband dealers bhph i website approval approved',
};

const byWord = new Map<string, Topic[]>();
for (const [topic, list] of Object.entries(words) as [Topic, string][]) {
  for (const word of new Set(list.split(' '))) byWord.set(word, [...(byWord.get(word) ?? []), topic]);
}
/** By a word's first letter the lengths of the words that begin with it, as bits: most words are passed over by them. */
const lengths = new Uint32Array(128);
for (const word of byWord.keys()) lengths[word.charCodeAt(0)] = (lengths[word.charCodeAt(0)] ?? 0) | (1 << word.length);
const VIN_LENGTH = 17;
const vin: readonly Topic[] = ['vin'];

export const topicsOf = {
  /** No words of any topic. */
  none: (): Record<Topic, number[]> => ({
    title: [],
    miles: [],
    drive: [],
    fuel: [],
    gears: [],
    body: [],
    color: [],
    price: [],
    seller: [],
    vin: [],
  }),
  word(word: string): readonly Topic[] | undefined {
    if (word.length === VIN_LENGTH) return vin;
    const known = lengths[word.charCodeAt(0)] ?? 0;
    return word.length < 32 && (known >>> word.length) & 1 ? byWord.get(word) : undefined;
  },
};
