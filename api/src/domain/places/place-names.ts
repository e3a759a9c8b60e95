/** Codes of states by name or abbreviation, in lower case without spaces and dots. */
const stateByName = new Map<string, string>();

const stateNames = `AL Alabama|Ala;AK Alaska|Alas;AZ Arizona|Ariz;AR Arkansas|Ark;CA California|Calif|Cali|Cal
CO Colorado|Colo;CT Connecticut|Conn;DE Delaware|Del;DC District of Columbia|Dist of Columbia;FL Florida|Fla
GA Georgia;HI Hawaii;ID Idaho|Ida;IL Illinois|Ill|Ills;IN Indiana|Ind;IA Iowa;KS Kansas|Kan|Kans;KY Kentucky|Ken
LA Louisiana;ME Maine;MD Maryland;MA Massachusetts|Mass;MI Michigan|Mich;MN Minnesota|Minn;MS Mississippi|Miss
MO Missouri;MT Montana|Mont;NE Nebraska|Neb|Nebr;NV Nevada|Nev;NH New Hampshire|N Hampshire;NJ New Jersey|N Jersey
NM New Mexico|N Mexico|N Mex;NY New York;NC North Carolina|N Carolina|N Car|No Carolina;ND North Dakota|N Dakota|N Dak
OH Ohio;OK Oklahoma|Okla;OR Oregon|Ore|Oreg;PA Pennsylvania|Penn|Penna;PR Puerto Rico|P Rico;RI Rhode Island
SC South Carolina|S Carolina|S Car|So Carolina;SD South Dakota|S Dakota|S Dak;TN Tennessee|Tenn;TX Texas|Tex;UT Utah
VT Vermont;VA Virginia|Virg;WA Washington|Wash;WV West Virginia|W Virginia|W Va;WI Wisconsin|Wis|Wisc
WY Wyoming|Wyo;GU Guam;VI US Virgin Islands|Virgin Islands|USVI|US VI;AS American Samoa
MP Northern Mariana Islands|CNMI`;

for (const entry of stateNames.split(/[;\n]/)) {
  const code = entry.slice(0, 2);
  for (const name of [code, ...entry.slice(3).split('|')])
    stateByName.set(name.toLowerCase().replaceAll(' ', ''), code);
}

const MAX_STATE_WORDS = 3;

/** The code of the state that all of these words name, or null. @param words in lower case, without punctuation */
export function stateOf(words: readonly string[]): string | null {
  return words.length === 0 ? null : (stateByName.get(words.join('')) ?? null);
}

/** Full names of states by their code. */
export const fullStateNames: ReadonlyMap<string, string> = new Map(
  stateNames.split(/[;\n]/).map((entry) => [entry.slice(0, 2), entry.slice(3).split('|')[0] ?? '']),
);

/** The words of a text in lower case, without accents and punctuation: `Coeur d'Alene` is `coeur dalene`. */
export function placeWords(text: string): string[] {
  let plain = text.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII
  if (/[^\x00-\x7f]/.test(plain)) plain = plain.normalize('NFD').replace(/\p{M}/gu, '');
  if (/['’‘`´ʻʼ.]/.test(plain)) plain = plain.replace(/['’‘`´ʻʼ]/g, '').replace(/\b([a-z])\./g, '$1');
  return plain.match(/[a-z0-9]+/g) ?? [];
}

const longForms = new Map(
  Object.entries({
    st: 'saint',
    ft: 'fort',
    mt: 'mount',
    ste: 'sainte',
    pt: 'point',
    spgs: 'springs',
    spg: 'springs',
    hts: 'heights',
    bch: 'beach',
    spngs: 'springs',
    sprgs: 'springs',
    hgts: 'heights',
    ctr: 'center',
    cntr: 'center',
    hbr: 'harbor',
    fls: 'falls',
    isl: 'island',
    rdg: 'ridge',
    mdws: 'meadows',
    gdns: 'gardens',
    hls: 'hills',
    vlg: 'village',
    vly: 'valley',
    jct: 'junction',
    grv: 'grove',
    crk: 'creek',
    lk: 'lake',
    pk: 'park',
    mtn: 'mountain',
    twp: 'township',
    sta: 'santa',
    upr: 'upper',
    lwr: 'lower',
    cyn: 'canyon',
    plns: 'plains',
    rch: 'ranch',
    fks: 'forks',
    frk: 'fork',
    mdw: 'meadow',
    hgt: 'heights',
    blfs: 'bluffs',
    blf: 'bluff',
    prk: 'park',
    rpds: 'rapids',
    rvr: 'river',
    ltl: 'little',
    grd: 'grand',
    cntry: 'country',
    crks: 'creeks',
    sprs: 'springs',
    mtns: 'mountains',
    bdg: 'bridge',
    brdg: 'bridge',
  }),
);
const directions = new Map(Object.entries({ n: 'north', no: 'north', s: 'south', so: 'south', e: 'east', w: 'west' }));

/** One key for all spellings of a name: `St. Louis`, `saint louis` and `SaintLouis` are `saintlouis`. */
export function placeKey(words: readonly string[]): string {
  let key = '';
  for (const [index, word] of words.entries()) {
    const outer = words.length > 1 && (index === 0 || index === words.length - 1);
    key += (outer ? directions.get(word) : undefined) ?? longForms.get(word) ?? word;
  }
  return key;
}

/** The key of a name in a table: as `placeKey`, but quicker for names of one plain word. */
export function nameKey(name: string): string {
  if (!/^[A-Za-z]+$/.test(name)) return placeKey(placeWords(name));
  const word = name.toLowerCase();
  return longForms.get(word) ?? word;
}

/** Splits off the longest state at the end of the words, as `W Va` is not Virginia. @returns one split or none */
export function splitState(words: readonly string[]): { name: readonly string[]; state: string }[] {
  for (let count = Math.min(MAX_STATE_WORDS, words.length); count >= 1; count--) {
    const state = stateOf(words.slice(-count));
    if (state) return [{ name: words.slice(0, -count), state }];
  }
  return [];
}
