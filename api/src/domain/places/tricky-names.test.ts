import { expect, test } from 'vitest';
import { gazetteer } from '../../../lab/gazetteer.ts';
import { placeTable } from '../../../test/reading/place-table.ts';

const abbreviations = placeTable(`
Ft Worth = Fort Worth, TX
Ft. Worth, Tex. = Fort Worth, TX
St Pete = St. Petersburg, FL
St. Pete, FL = St. Petersburg, FL
St Pete Beach FL = St. Pete Beach, FL
Mt Pleasant SC = Mount Pleasant, SC
Mt. Vernon, NY = Mount Vernon, NY
N Las Vegas = North Las Vegas, NV
No. Las Vegas NV = North Las Vegas, NV
N. Charleston, SC = North Charleston, SC
W Palm Beach = West Palm Beach, FL
W. Hartford CT = West Hartford, CT
E Lansing MI = East Lansing, MI
S San Francisco = South San Francisco, CA
So. San Francisco = South San Francisco, CA
Pt Pleasant NJ = Point Pleasant, NJ
Pt. Pleasant, WV = Point Pleasant, WV
Colo Spgs = Colorado Springs, CO
Colorado Spgs CO = Colorado Springs, CO
Hot Spgs AR = Hot Springs, AR
Wash DC = Washington, DC
Wash. D.C. = Washington, DC
Phila = Philadelphia, PA
Phila PA = Philadelphia, PA
Indpls = Indianapolis, IN
Indpls, IN = Indianapolis, IN
Mpls = Minneapolis, MN
Mpls, Minn. = Minneapolis, MN
Balto = Baltimore, MD
Chas SC = Charleston, SC
Jax = Jacksonville, FL
Jax FL = Jacksonville, FL
Jax Beach = Jacksonville Beach, FL
Va Beach = Virginia Beach, VA
Klamath Fls = Klamath Falls, OR
Wilm DE = Wilmington, DE
Lake Havasu = Lake Havasu City, AZ
Daytona = Daytona Beach, FL
S Barbara CA = Santa Barbara, CA
Bham = Birmingham, AL
B'ham, AL = Birmingham, AL
Bham WA = Bellingham, WA
Gboro NC = Greensboro, NC
L'ville KY = Louisville, KY
Okla City = Oklahoma City, OK
Alb NM = Albuquerque, NM
Hunts AL = Huntsville, AL
Wmsburg VA = Williamsburg, VA
Chgo IL = Chicago, IL
Cleve Hts OH = Cleveland Heights, OH
Grd Rapids MI = Grand Rapids, MI
SLC = Salt Lake City, UT
KCMO = Kansas City, MO
KCK = Kansas City, KS
Saint Paul = St. Paul, MN
Sault Ste Marie, MI = Sault Ste. Marie, MI
Ste Genevieve MO = Ste. Genevieve, MO
`);

const misspellings = placeTable(`
Pittsburg PA = Pittsburgh, PA
Pittsburg, Pennsylvania = Pittsburgh, PA
Pittsburg CA = Pittsburg, CA
Albequerque = Albuquerque, NM
Albuqurque nm = Albuquerque, NM
Albaquerque, New Mexico = Albuquerque, NM
Cincinatti = Cincinnati, OH
Cincinnatti OH = Cincinnati, OH
Philidelphia = Philadelphia, PA
Philadelpia = Philadelphia, PA
Filadelfia = Philadelphia, PA
Tuscon = Tucson, AZ
Tuscon, AZ = Tucson, AZ
Mineapolis = Minneapolis, MN
Minneapolis Minnisota = Minneapolis, MN
Colombus OH = Columbus, OH
Colombus = Columbus, OH
Okalahoma City = Oklahoma City, OK
Oklahoma City, Oklahmoa = Oklahoma City, OK
Sacremento = Sacramento, CA
Sacremento Calfornia = Sacramento, CA
Hunstville = Huntsville, AL
Huntsvile Alabma = Huntsville, AL
Hartford Conneticut = Hartford, CT
Worcester, Massachusets = Worcester, MA
Worchester MA = Worcester, MA
Bridgport, Conneticut = Bridgeport, CT
Louisvile KY = Louisville, KY
Nashvile = Nashville, TN
Nashville Tennesee = Nashville, TN
Memfis TN = Memphis, TN
Milwakee = Milwaukee, WI
Milwuakee, Wisconson = Milwaukee, WI
Pheonix = Phoenix, AZ
Phenix AZ = Phoenix, AZ
Los Angelos = Los Angeles, CA
Los Angles CA = Los Angeles, CA
Las Vagas = Las Vegas, NV
San Fransisco = San Francisco, CA
San Franciso, CA = San Francisco, CA
San Deigo = San Diego, CA
Huston TX = Houston, TX
Houstan = Houston, TX
Dalas TX = Dallas, TX
Seatle = Seattle, WA
Tacoma Washingon = Tacoma, WA
Detriot = Detroit, MI
Chicgao = Chicago, IL
Chattanoga = Chattanooga, TN
Knoxvile Tn = Knoxville, TN
Tallahasee = Tallahassee, FL
Jacksonvile Flordia = Jacksonville, FL
Orlandoo = Orlando, FL
Raliegh = Raleigh, NC
Charlote NC = Charlotte, NC
Des Moins = Des Moines, IA
Omahaa = Omaha, NE
Indianoplis = Indianapolis, IN
Bufallo = Buffalo, NY
Baltimor = Baltimore, MD
Birmingam AL = Birmingham, AL
Anahiem = Anaheim, CA
Bakersfeild = Bakersfield, CA
Fayetville, NC = Fayetteville, NC
Coeur dAlene = Coeur d'Alene, ID
Couer d'Alene, ID = Coeur d'Alene, ID
Schenectedy = Schenectady, NY
Rehobeth Beach = Rehoboth Beach, DE
Nacadoches = Nacogdoches, TX
Scotsdale = Scottsdale, AZ
Poughkepsie NY = Poughkeepsie, NY
`);

test.each([...abbreviations, ...misspellings])('%s is %s', (text, label) => {
  expect(gazetteer.resolve(text)?.label).toBe(label);
});

test.each([
  ['Barrio Logan', 'San Diego, CA'],
  ["Hell's Kitchen", 'New York, NY'],
  ['Hyde Park, Boston', 'Boston, MA'],
  ['Bronzeville', 'Chicago, IL'],
  ['Excelsior SF', 'San Francisco, CA'],
  ['Bay View WI', 'Milwaukee, WI'],
  ['Alief TX', 'Houston, TX'],
  ['West LA', 'Los Angeles, CA'],
  ['Highland Park LA', 'Los Angeles, CA'],
  ['Garden District LA', 'New Orleans, LA'],
  ['Peterson SFB', 'Colorado Springs, CO'],
  ['Malmstrom Air Force Base', 'Great Falls, MT'],
  ['Whidbey NAS', 'Oak Harbor, WA'],
  ['Camp Pendelton', 'Camp Pendleton South, CA'],
  ['Crescent City, Louisiana', 'New Orleans, LA'],
  ['Chigaco', 'Chicago, IL'],
  ['Sta. Monica', 'Santa Monica, CA'],
  ['Happy Valley', 'Happy Valley, OR'],
  ['Forest City', 'Forest City, FL'],
  ['Sun City', 'Sun City, AZ'],
  ['Mountain View', 'Mountain View, CA'],
  ['Franklinton', 'Franklinton, LA'],
  ['Rural Idaho near Twin Falls', 'Twin Falls, ID'],
])('%s is %s', (text, label) => {
  expect(gazetteer.resolve(text)?.label).toBe(label);
});

test.each(['cash only', 'home', 'earth', 'private', 'call', 'Capitol Hill', 'Flo, MO', 'Osaka', 'Tulum Q. Roo'])(
  '%j is no US place',
  (text) => {
    expect(gazetteer.resolve(text)).toBeNull();
  },
);

test('a village with the name of a common word needs its state', () => {
  expect(gazetteer.resolve('Cash, SC')?.label).toBe('Cash, SC');
});

test('a place whose ZIPs have no population has the coordinates of a neighbouring ZIP', () => {
  const { lat = 0, lng = 0 } = gazetteer.resolve('La Jolla, CA') ?? {};
  expect([lat, lng]).toEqual([expect.closeTo(32.85, 1), expect.closeTo(-117.26, 1)]);
  expect(gazetteer.resolve('St Thomas VI')?.lat).toBeCloseTo(18.34, 1);
});

test('a place of that name near the coordinates is preferred to a nickname', () => {
  const near = { lat: 37.53, lng: -122.04 };
  expect(gazetteer.resolve('Newark', near)?.label).toBe('Newark, CA');
});
