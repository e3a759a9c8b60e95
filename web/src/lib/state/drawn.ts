import { useSyncExternalStore } from 'react';

/** What a page that the server drew says as it was then. */
export interface Drawing {
  moment: Date;
  /** For a page of a signed-in user; null for pages that visitors get. */
  user: DrawnUser | null;
}

export interface DrawnUser {
  /** How far local times are ahead of UTC, in milliseconds: on the server in the time zone of the account. */
  offsetMs: number;
  /** How many cars are new. */
  newCount: number;
}

/**
 * On the server while it draws, in the browser from then on. All that drawing may know of a user is in here, and each page
 * replaces it as a whole: pages of others are drawn in the same thread.
 */
let drawing: Drawing | null = null;
let isOver = false;
let drawnTitle: string | null = null;

/** Begins a page. In the browser once, before anything is rendered. */
export function setDrawing(next: Drawing | null): void {
  drawing = next;
  isOver = false;
  drawnTitle = null;
}

/** From now on everything is as it is in this browser, but for parts that React takes over later. */
export function endDrawing(): void {
  isOver = true;
}

/** The moment that a drawn page shows, so that the first rendering in the browser says the same; null at all other times. */
export const drawnMoment = (): Date | null => (isOver ? null : (drawing?.moment ?? null));

/** What the page of a signed-in user shows where it was drawn. Of use only with `useDrawn`. */
export const drawnUser = (): DrawnUser | null => drawing?.user ?? null;

/** Whether a page for visitors is taken over, or drawn. */
export const isVisitorsDrawing = (): boolean => drawnMoment() !== null && drawnUser() === null;

/** The title of the page that is being drawn, for the server. */
export const titleOfDrawn = (): string | null => drawnTitle;

export function setDrawnTitle(title: string | null): void {
  drawnTitle = title;
}

let isServedByHttps = typeof location !== 'undefined' && location.protocol === 'https:';

/** Whether the site's address begins with https. */
export const isHttps = (): boolean => isServedByHttps;

/** On the server, which can't see the address. */
export function setHttps(isIt: boolean): void {
  isServedByHttps = isIt;
}

const never = () => () => {};

/** True on the server and while the browser takes a drawn page over: what only this browser knows can't be shown yet. */
export const useDrawn = (): boolean =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  );

/** The moment that is shown while `useDrawn` holds, with the time zone in which it is shown. */
export function drawnNow(): Date {
  const moment = drawing?.moment ?? new Date();
  return drawing?.user ? Object.assign(new Date(moment), { offsetMs: drawing.user.offsetMs }) : moment;
}

/** Whether this is the server, which draws a page once and without any effects. */
export const isServer = typeof document === 'undefined';
