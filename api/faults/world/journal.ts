import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';

/** Between its first try and its acknowledgement a change has come into force; times in milliseconds since 1970. */
export interface Span {
  begun: number;
  done: number;
}

export interface CarState {
  facts: TestListing;
  forSale: boolean;
  span: Span;
  /** By then its search for alerts had certainly ended. */
  searchedBy?: number;
}

/** A car of the pusher's and everything that was said of it. */
export interface CarLog {
  externalId: string;
  states: CarState[];
  /** It may rightly be told or not: another listing may be the same car. */
  mayBeQuiet?: boolean;
}

export interface AlertState {
  criteria: TestAlert;
  active: boolean;
  span: Span;
}

export interface AlertLog {
  id: number;
  owner: string;
  states: AlertState[];
  deleted?: Span;
  /** When its time came to an end, and when it was brought to within three days of that. */
  ends?: Span[];
  reminders?: Span[];
}

/** What certainly and what possibly was in force when. */
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
