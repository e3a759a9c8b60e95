import type { Part, WishFields } from './wish-fields.ts';
import type { WishText } from './wish-text.ts';

const PHOTOS = '(?:photos?|pictures?|pics?|images?)';
const AVOID = '(?:no|not|skip|dont (?:want|show)|ignore|exclude|hide|without|nothing|leave out)';

/**
 * Phrases of several words in many forms. null: they ask for nothing, as `any color`. The repetitions are bounded, so that
 * reading takes time in proportion to the text.
 */
const phrases: readonly (readonly [RegExp, WishFields | null])[] = [
  [
    new RegExp(
      String.raw`\b(?:with or without|even without|dont need|no need for) (?:any )?${PHOTOS}\b|\b(?:no )?${PHOTOS} (?:are |is )?(?:not |un)?(?:needed|required|necessary|important)\b`,
      'g',
    ),
    null,
  ],
  [
    new RegExp(String.raw`\b${AVOID}(?: [a-z]{1,12}){0,3} (?:without|with no|missing) (?:a |any )?${PHOTOS}\b`, 'g'),
    { onlyWithImages: true },
  ],
  [
    new RegExp(
      String.raw`\b(?:with|must have|must include|must show|has to have|have to have|has|have|having|needs|need|want|including|include)(?: (?:some|any|good|clear|actual|real|a|one|the|few|car|only|several|seller)){0,3} ${PHOTOS}\b(?: only| please| required)?`,
      'g',
    ),
    { onlyWithImages: true },
  ],
  [
    new RegExp(
      String.raw`\b(?:only )?${PHOTOS} (?:are |is )?(?:only|a must|must|please|mandatory|included)\b|\bonly ${PHOTOS}\b`,
      'g',
    ),
    { onlyWithImages: true },
  ],
  [
    new RegExp(
      String.raw`\b${AVOID}(?: [a-z]{1,12}){0,3} (?:without|with no|missing) (?:a |any )?(?:stated |listed )?prices?\b`,
      'g',
    ),
    { priceStated: true },
  ],
  [/\bno (?:call|ask|message|dm|text|inquire) for (?:the )?prices?\b/g, { priceStated: true }],
  [
    /\b(?:with|must have|must show|must list|must state|has to have|has|have|having|needs|show|shows|showing|list|state|states|stating)(?: (?:a|an|the|stated|listed|posted|shown|real|actual|asking|clear)){0,3} prices?\b(?! ?(?:under|below|of|max|up|between|less|no|not|around|range|over|from|lower|that|\d|\$|<))(?: (?:stated|listed|shown|posted|given|only))?/g,
    { priceStated: true },
  ],
  [
    /\b(?:only )?(?:stated |listed )?prices? (?:must be |has to be |have to be |should be |needs to be |is |are )?(?:stated|listed|shown|posted|given|included|required)\b/g,
    { priceStated: true },
  ],
  [
    /\b(?:only )?(?:priced? )?(?:well )?(?:below|under|less than|cheaper than|lower than)(?: (?:the|its|their|a))?(?: (?:fair|market|kbb|blue ?book|kelley blue book|average|going|typical)){1,2}(?: (?:market|price|value|rate)){0,2}\b(?: only)?/g,
    { belowFairPrice: true },
  ],
  [
    /\b(?:under ?priced|undervalued|below ?market|(?:good|great|real) deals?(?: only)?|bargains?(?: only)?)\b/g,
    { belowFairPrice: true },
  ],
  [
    /\b(?:salvaged?|rebuilt|branded)(?: titles?)?(?: (?:is|are|would be))? (?:ok|okay|fine|welcome|accepted|acceptable|too|no problem)\b|\bany titles?(?: status)?\b/g,
    null,
  ],
  [
    /\b(?:any|no|whatever)(?: particular| specific)? colou?rs?\b(?! (?:but|except|other))(?: preference)?(?: (?:is |are )?(?:ok|okay|fine|works|will do))?\b|\b(?:the )?colou?rs? (?:doesnt|does not|dont|do not) (?:really )?matter\b|\b(?:i )?(?:dont|do not) care (?:about|what)(?: the)? colou?r(?: it is)?\b|\bcolou?r (?:is )?(?:not important|unimportant|irrelevant)\b|\bno matter (?:the|what) colou?r\b/g,
    null,
  ],
  [
    /\bany (?:year|price|mileage|model|transmission|trim|trim level|body style|make|age|condition)s?(?: (?:is )?(?:ok|okay|fine|works))?\b|\b(?:mileage|miles|year|age|price|transmission|trim) (?:doesnt|does not|dont|do not|isnt|is not) (?:really )?(?:matter|important|a concern)\b|\bno (?:preference|rush|hurry|problem|idea|worries|big deal)\b|\bas soon as possible\b/g,
    null,
  ],
  [/\bany distance\b|\bdistance (?:doesnt|does not|is not|isnt) (?:matter|important|a concern)\b/g, { radius: 100 }],
];

const photosNeeded = /needed|required|necessary|important|with|need/;
const photoWord = /photo|picture|pic|image/;

/** Finds the phrases; no two overlap. */
export function phrasesIn({ plain, starts }: WishText): Part[] {
  const lower = plain.toLowerCase();
  const parts: Part[] = [];
  for (const [pattern, fields] of phrases) {
    for (const match of lower.matchAll(pattern)) {
      const start = starts.findIndex((at) => at >= match.index);
      const after = starts.findIndex((at) => at >= match.index + match[0].length);
      const end = after < 0 ? starts.length : after;
      if (start < 0 || parts.some((part) => start < part.end && part.start < end)) continue;
      const read = fieldsOf(match[0], fields);
      parts.push(read ? { start, end, kind: 'value', fields: read } : { start, end, kind: 'filler' });
    }
  }
  return parts;
}

/** The first phrases say that photos are needed, or that they are not. */
function fieldsOf(text: string, fields: WishFields | null): WishFields | null {
  if (fields !== null || !(photoWord.test(text) && photosNeeded.test(text))) return fields;
  return { onlyWithImages: !/\b(?:no|not|without|dont|unneeded|unnecessary|unimportant)\b/.test(text) };
}
