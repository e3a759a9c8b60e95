import { BELOW_FAIR, HAS_CONDITIONS, kindBits, PRICE_STATED } from '../domain/criteria/filters.ts';
import { NO_MILEAGE_MAX, NO_PRICE_MAX } from '../domain/criteria/search-columns.ts';
import { wordFolds } from '../domain/forms/filter-values.ts';
import { columnOf } from '../entities/column-of.ts';
import { isBelowFair } from '../entities/criteria-columns.ts';

/*
 * The filters of `domain/criteria/filters.ts` as SQL. `c` is the criteria of an alert, whose `asked` has a bit for each value
 * that it asks for. Two numbers decide for nearly every alert; what has no bit, such as words, is a text beside them.
 */

/** SQL: the bits of what a listing's value of each fact does. */
const bitsOf = (
  l: string,
  read: (value: { refuted: number; open: number }) => number,
  stated: number,
  unstated: number,
) =>
  kindBits
    .map(({ kind, all, values }) => {
      const column = `${l}.${columnOf(kind)}`;
      const cases = values.map((one) => `when '${one.value}' then ${read(one)}`).join(' ');
      return `(case when ${column} is null then ${all * unstated} else case ${column} ${cases} else ${all * stated} end end)`;
    })
    .join(' + ');

/** SQL: the bits of `asked` that a listing refutes. */
const refutedBits = (l: string): string => `
  ${bitsOf(l, ({ refuted }) => refuted, 1, 0)}
  + (case when ${l}.price is null then ${PRICE_STATED} else 0 end)
  + (case when ${isBelowFair(`${l}.price`, l)} then 0 else ${BELOW_FAIR} end)`;

/** SQL: the bits of `asked` that a listing leaves open, as it does not state the fact. */
const openBits = (l: string): string => bitsOf(l, ({ open }) => open, 0, 1);

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Most letters of a title stay as they are. "translate" reads its list from the start for each, so that these come first. */
const PLAIN = ' eaoirntlscdmuhygp0125xbvfwk346789jqz';

/** SQL: the words of a listing's title and trim in lower case, each between single blanks. A bracket of either kind is a separator. */
const wordsOf = (l: string): string => `
  replace(replace(replace(
    translate(' ' || ${l}.title || ' ' || coalesce(${l}.trim || ' ', ''), ${literal(PLAIN + wordFolds.from)}, ${literal(PLAIN + wordFolds.to)}),
    ' ', '<>'), '><', ''), '<>', ' ')`;

/** SQL: one of the parts of an alert's conditions. @param at from 1 on */
const partOf = (conditions: string, at: number): string => `split_part(${conditions}, '&', ${at})`;
const boundOf = (conditions: string, at: number, none: number): string =>
  `coalesce(nullif(${partOf(conditions, at)}, ''), '${none}')::int4`;
const patternsOf = (conditions: string, at: number): string => `string_to_array(${partOf(conditions, at)}, '|')`;

/** SQL: whether a price and the words of a title fit conditions, which are not empty. */
const conditionsFit = (conditions: string, price: string, words: string): string => `
  (${price} is null or ${price} between ${boundOf(conditions, 3, 0)} and ${boundOf(conditions, 4, NO_PRICE_MAX)})
  and not ${words} like any (${patternsOf(conditions, 1)}) and ${words} like all (${patternsOf(conditions, 2)})`;

/** SQL: the same by the row of the alert `c.alert_id`, where the conditions are too long for the index. */
const rowFits = `
  select (l.price is null or l.price between coalesce(a.price_min, 0) and coalesce(a.price_max, ${NO_PRICE_MAX}))
     and not exists (select from unnest(a.exclude_words) w where strpos(f.words, ' ' || w || ' ') > 0)
     and not exists (select from unnest(a.require_words) w where strpos(f.words, ' ' || w || ' ') = 0)
    from alerts a where a.id = c.alert_id and a.user_id = c.user_id`;

/**
 * SQL: joins to the listing `l` its bits, mileage and words as `f`, computed once and not for each alert. The bit of
 * conditions counts as refuted, so that one comparison decides for an alert without conditions.
 */
export const listingBits = `
 cross join lateral (
   select ${refutedBits('l')} + ${HAS_CONDITIONS} as refuted, ${openBits('l')} as left_open,
          coalesce(l.mileage, ${NO_MILEAGE_MAX}) as mileage, ${wordsOf('l')} as words offset 0) f`;

/** SQL: whether a listing `l` with its bits `f` fits the filters of an alert that was found by its cell. */
export const filtersFit = `
  c.mileage_max >= f.mileage
  and (c.asked & f.refuted = 0
       or c.asked & f.refuted = ${HAS_CONDITIONS}
          and case when c.conditions = '' then (${rowFits}) else ${conditionsFit('c.conditions', 'l.price', 'f.words')} end)`;

/** SQL: whether a listing with its bits `f` does not state what a filter asks for. */
export const isLeftOpen = 'c.asked & f.left_open <> 0';

const askedFit = `
  c.asked & (${refutedBits('f')}) = 0
  and (c.asked < ${HAS_CONDITIONS}
       or (select ${conditionsFit('c.conditions', 'f.price', 't.words')}
             from (select ${wordsOf('f')} as words offset 0) t))`;

const hasNoFilters = `c.asked = 0 and c.mileage_max = ${NO_MILEAGE_MAX}`;

/** SQL: whether the alert of a cell asks for a fact that may be read later than others: see `later-facts.ts`. */
export const asksForLater = `(c.color <> 0 or not (${hasNoFilters}))`;

/**
 * SQL: whether a listing `l` fits the filters of an alert whose criteria are known. Only where there are some is the listing
 * read, as the index of the search has none of these facts.
 */
export const askedFiltersFit = `
  (${hasNoFilters} or (
    select c.mileage_max >= coalesce(f.mileage, ${NO_MILEAGE_MAX}) and ${askedFit} from listings f where f.id = l.id))`;

/** SQL: the same without the mileage. */
export const askedButMileageFit = `(c.asked = 0 or (select ${askedFit} from listings f where f.id = l.id))`;

/** SQL: whether a listing `l` does not state what a filter of a known alert asks for. */
export const isAskedLeftOpen = `
  case when c.asked = 0 then false
       else (select c.asked & (${openBits('f')}) <> 0 from listings f where f.id = l.id) end`;
