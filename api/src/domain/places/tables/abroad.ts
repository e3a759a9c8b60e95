import { placeKey, placeWords } from '../place-names.ts';

/** Foreign cities with the name, or nearly the name, of a US place; rounded population in thousands. */
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
Auckland 1650, Wellington 215,
Abbotsford 155, Ajax 127, Barrie 150, Brantford 105, Burlington Ontario 187, Cambridge Ontario 138, Chilliwack 94,
Coquitlam 149, Delta BC 108, Fredericton 64, Guelph 144, Kamloops 98, Kelowna 145, Kingston Ontario 133, Langley BC 133,
Lethbridge 99, Longueuil 254, Medicine Hat 63, Moncton 79, Moose Jaw 34, Nanaimo 100, North Bay 53, Oakville Ontario 214,
Oshawa 176, Peterborough 84, Pickering 99, Prince George 77, Red Deer 101, Richmond BC 210, Richmond Hill Ontario 202,
Saguenay 145, Saint Catharines 137, Sarnia 72, Saint Johns Newfoundland 111, Scarborough 630, Etobicoke 365,
Sherbrooke 173, Sudbury 166, Thunder Bay 109, Trois Rivieres 139, Victoria BC 92, Whitby 139, Yellowknife 20,
Charlottetown 39, Sault Ste Marie Ontario 72, Whitehorse 28, Levis 150, Terrebonne 120, Nepean 180, Kanata 118,
Aguascalientes 863, Campeche 250, Celaya 380, Chetumal 170, Ciudad Acuna 160, Ciudad Obregon 330, Ciudad Victoria 330,
Coatzacoalcos 210, Cuernavaca 340, Ecatepec 1640, Guaymas 117, Irapuato 450, Jalapa 440, Xalapa 440, La Paz Mexico 250,
Los Cabos 350, Cabo San Lucas 200, San Jose del Cabo 136, Los Mochis 300, Manzanillo 160, Mazatlan 440, Monclova 237,
Morelia 740, Nezahualcoyotl 1070, Oaxaca 270, Pachuca 300, Piedras Negras 170, Playa del Carmen 300, Poza Rica 180,
Puerto Vallarta 290, Rosarito 100, Playas de Rosarito 100, San Luis Potosi 845, San Luis Rio Colorado 176, San Pedro Garza Garcia 130,
Tampico 297, Tapachula 217, Tecate 81, Tepic 425, Tlaquepaque 650, Toluca 910, Tulum 33, Tuxtla 580, Uruapan 300,
Villahermosa 340, Zacatecas 138, Zapopan 1480, Agua Prieta 80, Nogales Mexico 260, Ojinaga 23, Rio Bravo Mexico 110,
San Miguel de Allende 72, Puerto Penasco 62, Rocky Point Mexico 62, San Nicolas de los Garza 412, Apodaca 650,
Belize City 61, Guatemala City 1000, Managua 1050, San Salvador 560, San Pedro Sula 780, Tegucigalpa 1150,
Port au Prince 1000, Nassau Bahamas 270, Freeport Bahamas 47, Montego Bay 110, Port of Spain 37, Bridgetown 110,
Hamilton Bermuda 1, Santiago de los Caballeros 690, Punta Cana 138, Puerto Plata 160, Willemstad 136, Oranjestad 35,
Barranquilla 1270, Cartagena 1000, Guayaquil 2700, Cuzco 430, Cusco 430, Arequipa 1000, La Paz Bolivia 780, Santa Cruz Bolivia 1900,
Asuncion 520, Montevideo 1300, Cordoba 1450, Rosario 1280, Mendoza 115, Valparaiso 300, Vina del Mar 330, Salvador 2900,
Belo Horizonte 2500, Curitiba 1900, Fortaleza 2600, Recife 1600, Porto Alegre 1400, Manaus 2200, Maracaibo 1600, Georgetown Guyana 235,
Plymouth England 265, Southampton 250, Portsmouth England 210, Nottingham 330, Leicester 370, Newcastle 300, Newcastle upon Tyne 300,
Wolverhampton 265, Derby 260, Coventry 370, Brighton England 230, Oxford England 160, Cambridge England 145, Aberdeen 200,
Dundee 148, Inverness 47, Swansea 245, Cork 220, Galway 85, Limerick 95, Londonderry 85, Reykjavik 130,
Lille 235, Nice 342, Bordeaux 260, Toulouse 500, Nantes 320, Strasbourg 290, Montpellier 300, Cannes 74, Grenoble 158,
Stuttgart 630, Dusseldorf 620, Dortmund 590, Essen 580, Leipzig 600, Dresden 560, Hanover 540, Nuremberg 520, Bremen 570,
Bonn 330, Heidelberg 160, Kaiserslautern 100, Wiesbaden 280, Ramstein 9, Salzburg 155, Innsbruck 130, Graz 290,
Bern 134, Basel 173, Lausanne 140, Lucerne 82, The Hague 550, Utrecht 360, Eindhoven 240, Ghent 265, Bruges 118,
Bilbao 345, Malaga 580, Zaragoza 675, Granada 232, Palma 410, Porto 232, Genoa 560, Bologna 390, Verona 257, Pisa 90,
Palermo 630, Catania 310, Bari 315, Siena 54, Gdansk 470, Krakow 780, Wroclaw 640, Lodz 670, Poznan 530, Brno 380,
Bratislava 475, Ljubljana 290, Zagreb 770, Belgrade 1380, Sarajevo 275, Skopje 530, Sofia 1240, Thessaloniki 320, Crete 630,
Sparta Greece 16, Corfu 100, Kharkiv 1400, Lviv 720, Minsk 2000, Vilnius 590, Riga 610, Tallinn 440, Saint Petersburg Russia 5600,
Novosibirsk 1600, Vladivostok 600, Gothenburg 590, Malmo 350, Bergen 290, Aarhus 290, Tampere 250, Izmir 2900, Antalya 1300,
Algiers 2700, Tunis 640, Tripoli 1100, Rabat 580, Marrakech 930, Tangier 950, Fez 1100, Dakar 1100, Accra 2500, Abuja 1200,
Kano 4100, Ibadan 3600, Port Harcourt 1900, Kinshasa 16000, Luanda 8000, Addis Ababa 3900, Kampala 1700, Khartoum 5000,
Mombasa 1200, Kigali 1100, Harare 1500, Lusaka 2500, Durban 600, Pretoria 740, Soweto 1270, Monrovia 1500, Freetown 1000,
Abu Dhabi 1500, Doha 950, Riyadh 7000, Jeddah 4700, Mecca 2400, Medina 1400, Kuwait City 2400, Manama 200, Muscat 1400,
Amman 4000, Aleppo 2000, Bethlehem 29, Nazareth 77, Haifa 285, Hebron 200, Jericho 20, Kabul 4400, Kandahar 600, Islamabad 1200,
Rawalpindi 2100, Bangalore 12000, Bengaluru 12000, Chennai 7000, Hyderabad 7000, Kolkata 14000, Pune 3100, Ahmedabad 6000,
Jaipur 3000, Goa 1500, Kathmandu 850, Colombo 750, Yangon 5000, Rangoon 5000, Phnom Penh 2100, Saigon 9000, Ho Chi Minh City 9000,
Da Nang 1200, Kuala Lumpur 1800, Penang 700, Bali 4300, Surabaya 2900, Cebu 960, Cebu City 960, Davao 1770, Quezon City 2960,
Makati 630, Angeles City 460, Olongapo 260, Baguio 366, Guangzhou 15000, Shenzhen 12000, Chongqing 16000, Tianjin 11000, Wuhan 11000, Chengdu 16000,
Nanjing 8500, Harbin 5500, Macau 680, Kaohsiung 2700, Busan 3400, Pusan 3400, Incheon 2950, Pyongyang 3000, Ulaanbaatar 1500,
Nagoya 2300, Yokohama 3700, Sapporo 1970, Fukuoka 1600, Hiroshima 1200, Nagasaki 410, Okinawa 1460, Kobe 1500, Yokosuka 390,
Sasebo 245, Misawa 39, Canberra 450, Darwin 140, Hobart 240, Gold Coast Australia 640, Cairns 150, Newcastle Australia 320,
Christchurch 380, Dunedin 130, Queenstown 16, Suva 94, Apia 37, Honiara 85, Guantanamo 210, Guantanamo Bay 210`;

/** Provinces and other parts of countries, which follow the name of a foreign city. Countries come from the runtime. */
const regions = `ontario, on, quebec, qc, british columbia, bc, alberta, ab, manitoba, mb, saskatchewan, sk, nova scotia, ns,
new brunswick canada, nb, newfoundland, nl, labrador, prince edward island, pei, yukon, yt, nunavut, northwest territories,
can, mex, baja, baja california, baja california sur, sonora, chihuahua, coahuila, nuevo leon, tamaulipas, jalisco,
sinaloa, guanajuato, michoacan, cdmx, edomex, df, uk, u k, england, scotland, wales, northern ireland, britain,
great britain, gbr, holland, korea, czech republic, turkey, europe, africa, asia, nsw, burma, congo, uae, au, nz, jp, fr, mx, br,
ont, que, pq, p q, alta, sask, nfld, newfoundland and labrador, nwt, n s, n b, p e i, q c, saskatchewan canada,
aguascalientes, ags, baja norte, baja sur, bcs mexico, b c mexico, b c n, campeche, chiapas, chis, chih, coah, colima,
ciudad de mexico, distrito federal, d f, estado de mexico, gto, guerrero, hidalgo mexico, jal, michoacan mexico, morelos, nayarit,
nuevo leon mexico, oaxaca, oax, puebla mexico, queretaro, qro, quintana roo, q roo, san luis potosi, slp, sin, son, tabasco,
tamps, tlaxcala, veracruz, yucatan, yuc, zacatecas, dr, d r, rd, dom rep, dominican rep, republica dominicana, españa, espana,
italia, deutschland, brasil, rsa, prc, roc taiwan, ussr, drc, ivory coast, vatican, west bank palestine, gaza, kurdistan,
queensland, new south wales, victoria australia, western australia, south australia, tasmania, bavaria, catalonia, sicily,
tuscany, normandy, provence, yorkshire, lancashire, cornwall uk, ulster ireland, eire, okinawa, kyushu, hokkaido, punjab,
kerala, gujarat, maharashtra, tamil nadu, latin america, south america, central america, middle east, caribbean, australasia`;

const notForeign = new Set('US PR GU VI AS MP UM GE'.split(' '));
const LARGE = 20_000;
/** A name alone means the foreign city if it has more than this many times the population of the US place. */
const FAMOUS_RATIO = 100;
const MAX_WORDS = 4;
/** Shorter abbreviations mean a country or province only after a name. */
const MIN_REGION_LENGTH = 4;

const keyOf = (name: string) => placeKey(placeWords(name));

let countryKeys: Set<string> | undefined;

/** The keys of all countries' names. Source: ISO 3166 in the CLDR of the runtime. */
function countries(): Set<string> {
  if (countryKeys) return countryKeys;
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  const made = new Set<string>();
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  for (const first of letters) {
    for (const second of letters) {
      const code = first + second;
      const name = notForeign.has(code) ? code : names.of(code);
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
    .map((city) => [keyOf(city.replace(/ \d+$/, '')), Number(city.slice(city.lastIndexOf(' '))) * 1000] as const),
);

/** Whether the words are a name and a foreign country or province: `paris france`, `vancouver bc`. */
export function isAbroad(words: readonly string[]): boolean {
  for (let count = 1; count <= Math.min(MAX_WORDS, words.length - 1); count++) {
    const key = placeKey(words.slice(-count));
    if (regionKeys.has(key) || countries().has(key)) return true;
  }
  return false;
}

/** Whether a name without a state means a foreign city or country rather than a US place of this many people. */
export function meansAbroad(key: string, population: number): boolean {
  const people = peopleByCity.get(key);
  if (people !== undefined) return people > population * FAMOUS_RATIO;
  const isCode = key.length < MIN_REGION_LENGTH;
  return population < LARGE && !isCode && (countries().has(key) || regionKeys.has(key));
}

/** Words that alone mean no place, even if a village has that name. */
const words = new Set(
  `a about ad address airport all along america american and any anyone anytime anywhere app area around as ask at auto available
  away beach best black blue body both box brand bus buyer by call can car cars cash cell chat city clean close college
  come company contact continental corner country county craigslist day days dealer dealership delivery description
  distance dm do dont downtown drive driveway earth ebay email evening everywhere facebook far farm firm for free from
  garage global gold good great half halfway heaven hell help here highway hit hmu home house i im in info inquire internet is it job
  just lake land later local location lol lot low lower mail mall many market marketplace mars maybe me meet message messenger middle
  miles mom moon more mountain mountains move my name near negotiable never new next night no north not nothing now number
  obo ocean of off offer offers office on one online only open or other our out over owner pending parking parts pay
  phone pick pickup picture pics place planet please pm post price private public question ranch ready really red reasonable remote rural
  sale school see sell seller send several ship shipping shop silver sir sold some someone somewhere south space speak station store
  street suburb suburbs sun sure talk test text thanks thats the them there this time title today tomorrow town trade trades truck trucks
  undisclosed university up us used vehicle view village visit void wait wanted we weekend weekends west where white will window with
  woods work world worldwide yard yes you your east blank secret confidential hidden various undecided general default sample example demo`
    .trim()
    .split(/\s+/),
);

/** Whether each of the words alone means no place: `cash only`, `home`. Together they may be a town: `Sun City`. */
export const isNoPlace = (text: readonly string[]): boolean => text.length > 0 && text.every((word) => words.has(word));
