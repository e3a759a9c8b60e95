import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';

/** The span from the first request of a change to its acknowledgement, in which it came into force; milliseconds since 1970. */
export interface Span {
  begun: number;
  done: number;
}

export interface CarState {
  facts: TestListing;
  forSale: boolean;
  span: Span;
  /** When the search for its alerts had certainly ended. */
  searchedBy?: number;
}

/** A car of the pusher, and all its states. */
export interface CarLog {
  externalId: string;
  states: CarState[];
  /** Whether it need not be announced, as another listing may be the same car. */
  mayBeUnannounced?: boolean;
}

export interface AlertState {
  criteria: TestAlert;
  active: boolean;
  span: Span;
}

/** A rule of the buyer's that held messages, from when to when. */
export interface Hold {
  by: 'quiet' | 'daily' | 'snooze' | 'pause';
  begun: Span;
  ended: Span;
}

export interface AlertLog {
  id: number;
  owner: string;
  states: AlertState[];
  deleted?: Span;
  /** When it expired, and when it was moved to within three days of that. */
  ends?: Span[];
  reminders?: Span[];
  holds?: Hold[];
}

/** A browser of a buyer's that gets push messages. */
export interface Device {
  /** Its path at the push service. */
  path: string;
  /** The owner's address. */
  owner: string;
  subscribed: Span;
  /** When it ended its subscription, of which LotWatch learns by its next message; milliseconds since 1970. */
  endedAt?: number;
}

/** The spans in which a state certainly and possibly was in force. */
export interface Window {
  from: number;
  to: number;
}

const END = Number.POSITIVE_INFINITY;

interface States {
  states: readonly { span: Span }[];
  deleted?: Span | undefined;
}

/** The longest time that a state may have been in force. */
export function possible({ states, deleted }: States, index: number): Window {
  const next = states[index + 1]?.span ?? deleted;
  return { from: states[index]?.span.begun ?? END, to: next?.done ?? END };
}

/** The time that a state was in force for sure. */
export function certain({ states, deleted }: States, index: number): Window {
  const next = states[index + 1]?.span ?? deleted;
  return { from: states[index]?.span.done ?? END, to: next?.begun ?? END };
}

export const meet = (a: Window, b: Window): boolean => a.from <= b.to && b.from <= a.to;
