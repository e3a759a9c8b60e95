import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, MultiLineString, Topology } from 'topojson-specification';
import type { Box, Chart, Miles } from './chart.ts';

type StatesFile = Topology<{ states: GeometryCollection<{ name: string }> }>;

interface StateFile {
  counties: Topology<{ lines: MultiLineString }>;
  /** Name, degrees north, degrees east, population; largest first. */
  towns: [string, number, number, number][];
}

const loaded = new Map<string, Promise<unknown>>();

/** Loads a file of the map once; one that failed is loaded again when it is asked for again. */
function loadFile<T>(name: string): Promise<T> {
  const before = loaded.get(name);
  if (before) return before as Promise<T>;
  const file = fetch(`${import.meta.env.MAP_FILES}${name}.json`, { signal: AbortSignal.timeout(30_000) }).then(
    (response) => {
      if (!response.ok) throw new Error(`The map's file ${name} answered ${response.status}`);
      return response.json();
    },
  );
  loaded.set(name, file);
  file.catch(() => loaded.delete(name));
  return file as Promise<T>;
}

/** The states on a chart, as SVG paths in miles. */
export interface States {
  land: string;
  /** The lines between states. */
  borders: string;
  coasts: string;
  boxes: { id: string; name: string; box: Box }[];
}

export async function loadStates(chart: Chart): Promise<States> {
  const file = await loadFile<StatesFile>('states');
  const all = feature(file, file.objects.states).features;
  const boxes = all.flatMap((state) => {
    const box = chart.box(state);
    return box ? [{ id: String(state.id), name: state.properties.name, box }] : [];
  });
  const near = new Set(boxes.map(({ id }) => id));
  const states = file.objects.states;
  return {
    land: chart.outline({ type: 'FeatureCollection', features: all.filter(({ id }) => near.has(String(id))) }),
    borders: chart.outline(mesh(file, states, (a, b) => a !== b)),
    coasts: chart.outline(mesh(file, states, (a, b) => a === b)),
    boxes,
  };
}

export interface Town {
  name: string;
  at: Miles;
  population: number;
  /** The number of its state. */
  state: string;
}

/** What is shown of a state when one is near: its county lines as an SVG path in miles, and its towns. */
export interface StateDetail {
  id: string;
  counties: string;
  towns: Town[];
}

export async function loadStateDetail(chart: Chart, id: string): Promise<StateDetail> {
  const { counties, towns } = await loadFile<StateFile>(id);
  return {
    id,
    counties: chart.outline(feature(counties, counties.objects.lines)),
    towns: towns.map(([name, latitude, longitude, population]) => ({
      name,
      at: chart.at(latitude, longitude),
      population,
      state: id,
    })),
  };
}
