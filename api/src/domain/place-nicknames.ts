/** What people call a place or region, and the place whose centre is meant. */
const table = `
nyc, new york city, manhattan, big apple, tri state, tristate, new york metro = New York, NY
long island = Hempstead, NY
hudson valley = Poughkeepsie, NY
westchester = White Plains, NY
upstate new york = Albany, NY
la, los angeles, socal, southern california, so cal, city of angels, greater la = Los Angeles, CA
san fernando valley = Van Nuys, CA
inland empire = Riverside, CA
orange county, oc = Anaheim, CA
sf, san fran, frisco ca, bay area, sf bay area, sfbay, sf bay, san francisco bay, norcal = San Francisco, CA
east bay = Oakland, CA
south bay, silicon valley = San Jose, CA
north bay = Santa Rosa, CA
peninsula = San Mateo, CA
central valley = Fresno, CA
central coast = San Luis Obispo, CA
sac, sacto = Sacramento, CA
dfw, dallas fort worth, dallas ft worth, metroplex = Dallas, TX
htx, h town = Houston, TX
atx = Austin, TX
satx, san antone = San Antonio, TX
rio grande valley = McAllen, TX
philly = Philadelphia, PA
lehigh valley = Allentown, PA
the burgh, pgh = Pittsburgh, PA
chi, chitown, chi town, chicagoland = Chicago, IL
atl = Atlanta, GA
vegas, lv = Las Vegas, NV
nola = New Orleans, LA
dc, washington dc, dmv, wash dc = Washington, DC
northern virginia, nova = Fairfax, VA
hampton roads, tidewater = Norfolk, VA
twin cities, minneapolis saint paul, msp = Minneapolis, MN
quad cities = Davenport, IA
tampa bay, tampa bay area = Tampa, FL
south florida, miami dade, dade = Miami, FL
southwest florida, swfl = Fort Myers, FL
space coast = Melbourne, FL
treasure coast = Port St. Lucie, FL
central florida = Orlando, FL
jax = Jacksonville, FL
the keys, florida keys = Key West, FL
indy = Indianapolis, IN
kc, kcmo, kansas city = Kansas City, MO
stl = St. Louis, MO
okc = Oklahoma City, OK
slc, salt lake = Salt Lake City, UT
wasatch front = Salt Lake City, UT
pdx = Portland, OR
puget sound = Seattle, WA
tri cities = Kennewick, WA
phx, valley of the sun = Phoenix, AZ
abq = Albuquerque, NM
cincy = Cincinnati, OH
cle = Cleveland, OH
cbus = Columbus, OH
bmore, b more = Baltimore, MD
nash = Nashville, TN
clt = Charlotte, NC
triangle, research triangle, rtp, raleigh durham = Raleigh, NC
triad, piedmont triad = Greensboro, NC
outer banks, obx = Kill Devil Hills, NC
upstate sc = Greenville, SC
lowcountry = Charleston, SC
beantown = Boston, MA
cape cod = Barnstable, MA
western mass = Springfield, MA
jersey shore = Toms River, NJ
south jersey = Camden, NJ
north jersey = Newark, NJ
front range = Denver, CO
the springs = Colorado Springs, CO
motor city = Detroit, MI
oahu = Honolulu, HI
maui = Kahului, HI
big island = Hilo, HI
`;

/** [nickname, the place's label] */
export const placeNicknames: readonly (readonly [string, string])[] = table
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [nicknames = '', label = ''] = line.split(' = ');
    return nicknames.split(', ').map((nickname) => [nickname, label] as const);
  });
