import { expect, test } from 'vitest';
import { gazetteer } from '../../../lab/gazetteer.ts';
import { placeTable } from '../../../test/reading/place-table.ts';

const parts = placeTable(`
Brooklyn = Brooklyn, NY
Queens NY = Queens, NY
The Bronx = Bronx, NY
Bronx, New York = Bronx, NY
Staten Island = Staten Island, NY
Harlem = New York, NY
Harlem, NY = New York, NY
Manhattan = New York, NY
Astoria, NY = Astoria, NY
Hollywood, CA = Los Angeles, CA
Hollywood = Hollywood, FL
North Hollywood = North Hollywood, CA
West Hollywood, CA = West Hollywood, CA
Echo Park = Los Angeles, CA
Silver Lake, Los Angeles = Los Angeles, CA
Van Nuys = Van Nuys, CA
Capitol Hill Seattle = Seattle, WA
Capitol Hill, Denver, CO = Denver, CO
Capitol Hill DC = Washington, DC
Georgetown DC = Washington, DC
Georgetown, Washington DC = Washington, DC
Buckhead = Atlanta, GA
Buckhead, Atlanta = Atlanta, GA
Lincoln Park Chicago = Chicago, IL
Wicker Park, Chicago, IL = Chicago, IL
South Philly = Philadelphia, PA
East Nashville = Nashville, TN
North Austin = Austin, TX
NW Portland = Portland, OR
Downtown Seattle = Seattle, WA
Winter Hill, MA = Somerville, MA
La Jolla = La Jolla, CA
Ybor City = Tampa, FL
French Quarter = New Orleans, LA
Waikiki = Honolulu, HI
Roxborough, Philadelphia PA = Philadelphia, PA
`);

const shapes = placeTable(`
Austin TX 78701 = Austin, TX
austin, tx, usa = Austin, TX
Austin, Texas, United States of America = Austin, TX
AUSTIN TEXAS U.S.A. = Austin, TX
TX - Dallas = Dallas, TX
TX-Dallas = Dallas, TX
Texas: El Paso = El Paso, TX
ID, Boise = Boise, ID
Boise (ID) = Boise, ID
near Boise = Boise, ID
Near Boise, Idaho = Boise, ID
10 miles north of Tulsa = Tulsa, OK
20 min from Denver, CO = Denver, CO
just outside of Macon GA = Macon, GA
Boise, ID area = Boise, ID
Boise metro area = Boise, ID
Greater Boston area = Boston, MA
Dallas/Ft Worth = Dallas, TX
Dallas / Fort Worth, TX = Dallas, TX
Reno-Sparks = Reno, NV
Reno/Sparks NV = Reno, NV
Norfolk/Virginia Beach, VA = Norfolk, VA
Champaign-Urbana, IL = Champaign, IL
Minneapolis - St. Paul = Minneapolis, MN
Kansas City, MO/KS = Kansas City, MO
123 Main St, Springfield, IL = Springfield, IL
10001 Main St, Austin, TX = Austin, TX
<b>Boise</b>, ID = Boise, ID
📍 Miami, FL 🌴 = Miami, FL
located in Fresno ca = Fresno, CA
City of Orlando, Florida = Orlando, FL
St. Louis = St. Louis, MO
ST LOUIS,MO = St. Louis, MO
Terre Haute = Terre Haute, IN
Baton Rouge La = Baton Rouge, LA
Des Moines Wa = Des Moines, WA
Coeur d’Alene, ID = Coeur d'Alene, ID
O'Fallon IL = O'Fallon, IL
San José = San Jose, CA
San José, California = San Jose, CA
Cañon City = Cañon City, CO
Canon City, Colorado = Cañon City, CO
Española, NM = Española, NM
Los Ángeles = Los Angeles, CA
Doña Ana, NM = Doña Ana, NM
Lāhainā, HI = Lahaina, HI
Gary in = Gary, IN
Portland or = Portland, OR
Bangor me = Bangor, ME
`);

const ambiguous = placeTable(`
Portland = Portland, OR
Portland, ME = Portland, ME
Columbus = Columbus, OH
Columbus GA = Columbus, GA
Aurora = Aurora, CO
Aurora IL = Aurora, IL
Kansas City = Kansas City, MO
Arlington = Arlington, TX
Arlington VA = Arlington, VA
Richmond = Richmond, VA
Richmond CA = Richmond, CA
Jackson = Jackson, MS
Jackson WY = Jackson, WY
Pasadena = Pasadena, TX
Pasadena CA = Pasadena, CA
Glendale = Glendale, AZ
Peoria = Peoria, AZ
Peoria IL = Peoria, IL
Springfield = Springfield, MO
Columbia = Columbia, SC
Rochester = Rochester, NY
Birmingham = Birmingham, AL
Ontario = Ontario, CA
Ontario, OR = Ontario, OR
Paris, TX = Paris, TX
Paris, Texas = Paris, TX
Toronto, OH = Toronto, OH
Vancouver, WA = Vancouver, WA
London, KY = London, KY
Moscow, Idaho = Moscow, ID
Mexico, MO = Mexico, MO
Lebanon, PA = Lebanon, PA
Peru, Indiana = Peru, IN
Windsor, CT = Windsor, CT
Monterey = Monterey, CA
Athens = Athens, GA
Manchester = Manchester, NH
`);

const bases = placeTable(`
Fort Liberty = Fort Bragg, NC
Fort Bragg NC = Fort Bragg, NC
Ft Bragg, CA = Fort Bragg, CA
JBLM = Joint Base Lewis McChord, WA
Fort Hood = Fort Hood, TX
Ft. Hood TX = Fort Hood, TX
Fort Campbell = Clarksville, TN
Camp Lejeune NC = Camp Lejeune, NC
Norfolk Naval Station = Norfolk, VA
Joint Base Andrews = Camp Springs, MD
MacDill AFB = Tampa, FL
Twentynine Palms = Twentynine Palms, CA
29 Palms = Twentynine Palms, CA
San Juan PR = San Juan, PR
San Juan, Puerto Rico = San Juan, PR
Bayamón, PR = Bayamón, PR
Guam = Hagatna, GU
Hagåtña = Hagatna, GU
Tamuning, Guam = Tamuning, GU
St Thomas USVI = St Thomas, VI
St. Thomas, US Virgin Islands = St Thomas, VI
Pago Pago = Pago Pago, AS
Saipan = Saipan, MP
`);

const regions = placeTable(`
Tri-Cities WA = Kennewick, WA
Tri-Cities, TN = Johnson City, TN
Quad Cities = Davenport, IA
Inland Empire = Riverside, CA
DFW = Dallas, TX
DMV = Washington, DC
Bay Area = San Francisco, CA
Hampton Roads = Norfolk, VA
Twin Cities = Minneapolis, MN
Lehigh Valley = Allentown, PA
upstate NY = Albany, NY
Ozarks = Springfield, MO
Cape Cod = Barnstable, MA
Long Island = Hempstead, NY
Long Island, NY = Hempstead, NY
South Jersey = Camden, NJ
Central PA = State College, PA
Eastern NC = Greenville, NC
Western NY = Buffalo, NY
Eastern Washington = Spokane, WA
southern Oregon = Medford, OR
SW Missouri = Springfield, MO
Western Massachusetts = Springfield, MA
East Tennessee = Knoxville, TN
UP Michigan = Marquette, MI
Orange County CA = Anaheim, CA
Orange County, FL = Orlando, FL
Cook County IL = Chicago, IL
Cook County = Chicago, IL
Kern County, CA = Bakersfield, CA
Maricopa County = Phoenix, AZ
Orleans Parish = New Orleans, LA
Kenai Peninsula Borough AK = Kalifornsky, AK
LAX = Los Angeles, CA
PDX = Portland, OR
ATX = Austin, TX
NYC = New York, NY
Philly = Philadelphia, PA
Vegas = Las Vegas, NV
`);

const groups = { parts, shapes, ambiguous, bases, regions };
test.each(
  Object.entries(groups).flatMap(([group, rows]) => rows.map(([text, label]) => [group, text, label] as const)),
)('%s: %s is %s', (_group, text, label) => {
  expect(gazetteer.resolve(text)?.label).toBe(label);
});

const elsewhere = `Toronto;Toronto, ON;Toronto, Ontario;Toronto Canada;Vancouver BC;Vancouver, British Columbia;Tijuana
Tijuana, BC;London;London, UK;London, England;Liege;Paris France;Paris, France;Monterrey NL;Monterrey;Windsor, ON
Windsor, Ontario, Canada;Ciudad Juarez;Nuevo Laredo;Mexico City;San José, Costa Rica;Mexico;Canada;Berlin, Germany
Sydney, Australia;Athens, Greece;Birmingham, England;Bergen op Zoom, NB;Nogales, Sonora;M5V 2T6;Toronto ON M5V 2T6
APO AE;APO AE 09012;FPO AP 96349;DPO AA 34002`.split(/[;\n]/);
const nothing = [
  'anywhere',
  'n/a',
  'N/A',
  'USA',
  'United States',
  '123',
  '',
  ' , ',
  'Texas',
  'TX',
  'Washington State',
  'state of New York',
  'California, USA',
  'anywhere in Texas',
  'nationwide',
  'unknown',
  'none',
  'online only',
  'call me',
  'for sale',
  'see description',
  'asdfghjkl',
  'qwerty',
  'xxxx',
  '🚗🚗🚗',
  '<script>alert(1)</script>',
  '東京',
  '-',
  '00000',
  'Chicago, TX',
  'Nowhereville, OH',
  'x'.repeat(10_000),
  'Capitol Hill',
  'Midwest',
  'Southwest',
  'West Coast',
];
test.each([...elsewhere, ...nothing])('%j is no US place', (text) => {
  expect(gazetteer.resolve(text)).toBeNull();
});

test.each([
  ['90210', '90210', 'Beverly Hills, CA'],
  ['90210-1234', '90210', 'Beverly Hills, CA'],
  ['902101234', '90210', 'Beverly Hills, CA'],
  ['Denver 90210', '90210', 'Beverly Hills, CA'],
  ['Houston, TX 77002-1234', '77002', 'Houston, TX'],
  ['zip code 60614', '60614', 'Chicago, IL'],
  ['02134', '02134', 'Boston, MA'],
  ['10001 New York', '10001', 'New York, NY'],
])('%s is the ZIP %s', (text, zip, label) => {
  expect(gazetteer.resolve(text)).toMatchObject({ zip, label });
});
