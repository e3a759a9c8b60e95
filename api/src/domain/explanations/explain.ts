import { fits, type Verdict } from '../criteria/criteria.ts';
import { ListingStatus, type RejectCode } from '../facts/listing-facts.ts';

/** Why a listing is, or is not, among the matches of an alert. */
export const explanationOutcomes = [
  'announced',
  'backfilled',
  'shown_only',
  'dismissed',
  'pending',
  'fitted_before',
  'does_not_fit',
  'not_for_sale',
  'not_watching',
  'too_old',
  'left_out',
  'missed',
  'quarantined',
  'several',
  'not_found',
  'never_seen',
] as const;
export type ExplanationOutcome = (typeof explanationOutcomes)[number];

/** What is known of an alert and a listing. */
export interface ExplainedPair {
  status: ListingStatus;
  /** The state of their match row; null without one. */
  match: 'shown' | 'hidden' | 'dismissed' | null;
  announced: boolean;
  /** Whether the listing was there before the search that the alert's last change began. */
  isFromBefore: boolean;
  /** Whether that search did not go back as far. */
  isBeforeBackfill: boolean;
  /** Whether the listing, or the alert, waits to be searched. */
  isPending: boolean;
  /** Whether the alert is on and has not expired. */
  isWatching: boolean;
  /** Whether the alert has had more matches than it keeps. */
  isCapped: boolean;
}

/** Decides why a listing is, or is not, among the matches of an alert. */
export function explainPair(pair: ExplainedPair, verdicts: readonly Verdict[]): ExplanationOutcome {
  if (pair.match === 'dismissed') return 'dismissed';
  if (pair.match === 'shown') return pair.announced ? 'announced' : pair.isFromBefore ? 'backfilled' : 'shown_only';
  if (!fits(verdicts)) return pair.match === 'hidden' ? 'fitted_before' : 'does_not_fit';
  if (pair.status !== ListingStatus.forSale) return 'not_for_sale';
  if (!pair.isWatching) return 'not_watching';
  if (pair.isPending) return 'pending';
  if (pair.isBeforeBackfill) return 'too_old';
  return pair.isCapped && pair.match === null ? 'left_out' : 'missed';
}

/** The sentence for each outcome, for the buyer. */
export const explanationSentences: Readonly<Record<ExplanationOutcome, string>> = {
  announced: 'It fits and is among the matches of this alert, which announced it.',
  backfilled:
    'It fits and is among the matches. It was listed before this alert was made or last changed, and such cars are shown without a message.',
  shown_only:
    'It fits and is among the matches, but no message was sent: the alert had no messages switched on, the car was announced under another listing, or it was already old when we first saw it.',
  dismissed: 'You said “Not this car”, so this alert shows and announces none of its listings.',
  pending: 'It fits and is being matched right now. Look again in a few seconds.',
  fitted_before: 'It fitted earlier, but the car or this alert has changed since, and now it does not.',
  does_not_fit: 'It does not fit this alert.',
  not_for_sale: 'It fits, but it is not for sale any more, and such cars are not matched.',
  not_watching: 'It fits, but this alert is off or has expired, and so it finds nothing.',
  too_old:
    'It fits, but we first saw it more than 14 days before this alert was made or last changed, and only newer cars are searched.',
  left_out: 'It fits, but an alert keeps its newest 1,000 matches, and newer ones have taken its place.',
  missed: 'It fits and should be among the matches, but it is not. Please tell us, so that we can find out why.',
  quarantined: 'We received it, but could not accept it.',
  several: 'Several cars fit what you entered. Choose one.',
  not_found:
    'We found no car with this title. We looked among the matches of this alert and the newest cars near it, of the make that the title names or else of the alert’s, also those that ended in the last 30 days. Any other car we find by its address or number.',
  never_seen:
    'We have never seen this listing, or not in the last 90 days: none of our sources has shown it to us under this address or number. An address without its number is compared only with the matches of this alert and the newest cars of its make near it.',
};

const rejections: Readonly<Record<RejectCode, string>> = {
  NO_ID: 'it carries no number by which we could recognize it again.',
  NOT_A_CAR: 'it does not read like an offer of one whole car.',
  UNKNOWN_MAKE: 'we could not tell its make.',
  BAD_PRICE: 'its price can’t be right.',
  BAD_YEAR: 'its model year can’t be right.',
  BAD_PLACE: 'we could not tell where it is.',
  TOO_LARGE: 'what the source sent is too large to read.',
  MALFORMED: 'what the source sent can’t be read.',
  DUPLICATE_ID: 'the source gave its number to two different cars.',
};

/** The sentence for a listing in quarantine. */
export const quarantineSentence = (code: RejectCode): string =>
  `We received it, but could not accept it: ${rejections[code]}`;
