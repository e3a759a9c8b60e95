import { useSyncExternalStore } from 'react';

/** When the server drew the page: on the server while it draws, in the browser until React has taken the page over. */
let drawnAt: Date | null = null;

/** The moment that a drawn page shows, so that the first rendering in the browser says the same; null at all other times. */
export const drawnMoment = (): Date | null => drawnAt;

export function setDrawnMoment(moment: Date | null): void {
  drawnAt = moment;
}

let drawnTitle: string | null = null;

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

/** Whether this is the server, which draws a page once and without any effects. */
export const isServer = typeof document === 'undefined';
