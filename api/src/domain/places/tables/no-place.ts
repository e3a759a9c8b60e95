/** Words that say something else than a place where they stand alone, even though a village is called so. */
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

/** Whether the words are all of the kind that names no place: `cash only`, `home`; together they may name a town: `Sun City`. @param text lower-case words */
export const isNoPlace = (text: readonly string[]): boolean => text.length > 0 && text.every((word) => words.has(word));
