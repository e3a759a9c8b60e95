import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { meshArcs } from 'topojson-client';
import type { GeometryCollection, GeometryObject, MultiLineString, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';

type Atlas = Topology<Record<'counties' | 'states', GeometryCollection<{ name: string }>>>;
/** Name, degrees north, degrees east, population. */
type Town = [string, number, number, number];

const require = createRequire(import.meta.url);
const readAtlas = (name: string): Atlas =>
  JSON.parse(readFileSync(require.resolve(`us-atlas/${name}-10m.json`), 'utf8'));

/** The state of a county, place or state, as the Census Bureau numbers them. */
const stateOf = (id: unknown): string => String(id).padStart(2, '0').slice(0, 2);

/** Keeps of a topology only the arcs of one geometry. */
function cutOut(atlas: Atlas, lines: MultiLineString): Topology {
  const kept = new Map<number, number>();
  const renumber = (arc: number): number => {
    const plain = arc < 0 ? ~arc : arc;
    if (!kept.has(plain)) kept.set(plain, kept.size);
    const now = kept.get(plain) ?? 0;
    return arc < 0 ? ~now : now;
  };
  const arcs = lines.arcs.map((line) => line.map(renumber));
  return {
    type: 'Topology',
    ...(atlas.transform && { transform: atlas.transform }),
    objects: { lines: { type: 'MultiLineString', arcs } },
    arcs: [...kept.keys()].map((arc) => atlas.arcs[arc] ?? []),
  };
}

/** Townships below this population are left out: their names repeat those of the places in them. */
const MIN_TOWNSHIP = 2500;
/** Of two towns that are closer, labels would have no room for the smaller. */
const MIN_MILES = 2;
const MILES_PER_DEGREE = 69;

const areClose = ([, lat, lng]: Town, [, otherLat, otherLng]: Town): boolean => {
  const north = (lat - otherLat) * MILES_PER_DEGREE;
  if (Math.abs(north) >= MIN_MILES) return false;
  const east = (lng - otherLng) * MILES_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  return Math.hypot(north, east) < MIN_MILES;
};

const toThousandths = (degrees: string): number => Math.round(Number(degrees) * 1000) / 1000;

/** The towns of each state, largest first. */
function readTowns(): Map<string, Town[]> {
  const file = readFileSync(new URL('../../api/data/geo/us-places.csv', import.meta.url), 'utf8');
  const all: { state: string; town: Town }[] = [];
  for (const line of file.split('\n').slice(1)) {
    const cells = [...line.matchAll(/("[^"]*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll('"', ''));
    const [name = '', , lat = '', lng = '', population, , id = '', kind] = cells;
    if (id.length < 7 || (kind === 'mcd' && Number(population) < MIN_TOWNSHIP)) continue;
    all.push({ state: stateOf(id), town: [name, toThousandths(lat), toThousandths(lng), Number(population)] });
  }
  const towns = new Map<string, Town[]>();
  for (const { state, town } of all.sort((a, b) => b.town[3] - a.town[3])) {
    const kept = towns.get(state) ?? [];
    if (!kept.some((larger) => areClose(larger, town))) kept.push(town);
    towns.set(state, kept);
  }
  return towns;
}

/** Makes the outlines of all states as one file, and the county lines and towns of each state as a file. */
function makeFiles(): Map<string, string> {
  const { objects, ...states } = readAtlas('states');
  const files = new Map([['states', JSON.stringify({ ...states, objects: { states: objects.states } })]]);
  const atlas = readAtlas('counties');
  const towns = readTowns();
  for (const state of new Set(objects.states.geometries.map(({ id }) => stateOf(id)))) {
    const counties = atlas.objects.counties.geometries.filter(({ id }) => stateOf(id) === state);
    const inState: GeometryCollection = { type: 'GeometryCollection', geometries: counties };
    const lines = meshArcs(
      atlas as Topology,
      inState as GeometryObject,
      (a, b) => a !== b,
    ) as unknown as MultiLineString;
    files.set(state, JSON.stringify({ counties: cutOut(atlas, lines), towns: towns.get(state) ?? [] }));
  }
  return files;
}

/**
 * Adds the files of the map, cut from the boundaries of the US Census Bureau in `us-atlas` and our own places. All have
 * the same prefix with a hash of their contents, which the client knows as `import.meta.env.MAP_FILES`.
 */
export function mapFiles(): Plugin {
  const files = makeFiles();
  const hash = createHash('sha256');
  for (const text of files.values()) hash.update(text);
  const prefix = `assets/map-${hash.digest('hex').slice(0, 8)}-`;
  return {
    name: 'map-files',
    config: () => ({ define: { 'import.meta.env.MAP_FILES': JSON.stringify(`/${prefix}`) } }),
    configureServer(server) {
      server.middlewares.use(`/${prefix.slice(0, -1)}`, (request, response, next) => {
        const text = files.get((request.url ?? '').slice(1).replace('.json', ''));
        if (text === undefined) return next();
        response.setHeader('Content-Type', 'application/json');
        response.end(text);
      });
    },
    generateBundle() {
      for (const [name, source] of files) this.emitFile({ type: 'asset', fileName: `${prefix}${name}.json`, source });
    },
  };
}
