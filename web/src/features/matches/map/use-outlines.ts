import type { ZoomTransform } from 'd3-zoom';
import { useEffect, useMemo, useState } from 'react';
import { type Box, type Chart, overlap } from './chart.ts';
import { loadStateDetail, loadStates, type StateDetail, type States, type Town } from './outlines.ts';
import type { Size } from './use-map-view.ts';

export interface Outlines {
  /** null while they are loading. */
  states: States | null;
  details: readonly StateDetail[];
  /** The towns of all loaded states, largest first. */
  towns: readonly Town[];
}

/** County lines of a larger part of the country would be a gray mass. */
const MAX_MILES_WITH_COUNTIES = 420;

/** The part of the chart that is on the screen, in miles. */
function viewBox(transform: ZoomTransform, { width, height }: Size): Box {
  const [left, top] = transform.invert([0, 0]);
  const [right, bottom] = transform.invert([width, height]);
  return [left, top, right, bottom];
}

/** Loads the outlines of the states, and the counties and towns of those in view. What can't be loaded is left out. */
export function useOutlines(chart: Chart, transform: ZoomTransform, size: Size): Outlines {
  const [states, setStates] = useState<States | null>(null);
  const [details, setDetails] = useState<ReadonlyMap<string, StateDetail>>(new Map());
  useEffect(() => {
    let isCurrent = true;
    setDetails(new Map());
    loadStates(chart).then(
      (found) => isCurrent && setStates(found),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [chart]);
  const view = viewBox(transform, size);
  const isNear = view[2] - view[0] < MAX_MILES_WITH_COUNTIES;
  const near = isNear ? states?.boxes.filter(({ box }) => overlap(box, view)).map(({ id }) => id) : [];
  const wanted = near?.join(' ') ?? '';
  useEffect(() => {
    let isCurrent = true;
    for (const id of wanted.split(' ').filter(Boolean)) {
      loadStateDetail(chart, id).then(
        (detail) => isCurrent && setDetails((before) => (before.has(id) ? before : new Map(before).set(id, detail))),
        () => undefined,
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [chart, wanted]);
  return useMemo(() => {
    const shown = wanted.split(' ').flatMap((id) => details.get(id) ?? []);
    const towns = shown.flatMap((detail) => detail.towns).sort((a, b) => b.population - a.population);
    return { states, details: shown, towns };
  }, [states, details, wanted]);
}
