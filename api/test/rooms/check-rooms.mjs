import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCE = /(?<!\.d)\.tsx?$/;
const MAX_LINES = 300;

function sourcesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * @typedef {{ mayImport: 'all' | string[], importedBy: string[] }} OtherFolder
 * @typedef {{ root: string, floors: string[][], otherFolders?: Record<string, OtherFolder>, packages?: Record<string, string[]>, allowed?: string[], outside?: string[], generated?: string[] }} Rooms
 */

const literal = (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Tests may use every room: they are no part of what runs. */
const TESTS = '\\.test\\.tsx?$';

/** @param {string} root @param {string} room a folder, or a file with its extension */
const within = (root, room) => `^${literal(root)}/${literal(room)}${/\.tsx?$/.test(room) ? '$' : '/'}`;

/** @param {string} name a package's name, or `@scope/*` */
const packagePath = (name) => `(^|/)node_modules/${literal(name).replace(/\\\*$/, '[^/]+')}(/|$)`;

/**
 * Whether a file under the root stands in a room; tests may stand anywhere.
 * @param {Rooms} rooms @param {string} path
 */
function hasRoom({ root, floors }, path) {
  if (!path.startsWith(`${root}/`) || new RegExp(TESTS).test(path)) return true;
  return floors.flat().some((room) => new RegExp(within(root, room)).test(path));
}

/**
 * The files with more lines than a reader can keep in mind. What a command writes may be longer.
 * @param {string} base @param {string[]} paths @param {string[]} generated folders, which end in a slash
 */
function tooLong(base, paths, generated) {
  return paths
    .filter((path) => !generated.some((folder) => path.startsWith(folder)))
    .map((path) => ({ path, lines: readFileSync(join(base, path), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `too-long: ${path} has ${lines} lines`);
}

/**
 * The rules of dependency-cruiser that follow from one list of floors.
 * @param {Rooms} rooms
 */
function roomRules({ root, floors, otherFolders = {}, packages = {}, allowed = [] }) {
  const forbidden = [
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'own-package',
      severity: 'error',
      from: { path: `^${literal(root)}/`, pathNot: TESTS },
      // Of the other package, and of a root's surroundings, only what is named.
      to: {
        path: '^(api|web)/',
        pathNot: [
          ...[root, ...Object.keys(otherFolders)].map((folder) => `^${literal(folder)}/`),
          ...allowed.map((path) => `^${literal(path)}${path.endsWith('/') ? '' : '$'}`),
          'node_modules',
        ],
      },
    },
  ];
  floors.forEach((floor, level) => {
    for (const room of floor) {
      const above = floors.slice(level).flat();
      const others = above.filter((other) => other !== room).map((other) => within(root, other));
      if (others.length === 0) continue;
      forbidden.push({
        name: `${room}-imports-lower-floors`,
        severity: 'error',
        from: { path: within(root, room), pathNot: TESTS },
        to: { path: others },
      });
    }
  });
  for (const [folder, { mayImport, importedBy }] of Object.entries(otherFolders)) {
    const path = `^${literal(folder)}/`;
    forbidden.push({
      name: `${folder}-importers`,
      severity: 'error',
      from: { path: `^${literal(root)}/`, pathNot: [TESTS, ...importedBy.map((room) => within(root, room))] },
      to: { path },
    });
    if (mayImport === 'all') continue;
    forbidden.push({
      name: `${folder}-imports`,
      severity: 'error',
      from: { path, pathNot: TESTS },
      to: { path: `^${literal(root)}/`, pathNot: mayImport.map((room) => within(root, room)) },
    });
  }
  for (const [room, names] of Object.entries(packages)) {
    forbidden.push({
      name: `${names[0]}-only-in-${room}`,
      severity: 'error',
      from: { path: `^${literal(root)}/`, pathNot: [TESTS, within(root, room)] },
      to: { path: names.map(packagePath) },
    });
  }
  return forbidden;
}

/**
 * Checks the imports of one package against its floors.
 * @param {string} base the project's folder
 * @param {Rooms} rooms
 * @returns {Promise<{ modules: number, faults: string[] }>}
 */
export async function checkRooms(base, rooms) {
  const folders = [rooms.root, ...Object.keys(rooms.otherFolders ?? {})].filter((folder) =>
    existsSync(join(base, folder)),
  );
  const sources = folders.flatMap((folder) => sourcesIn(join(base, folder))).map((path) => relative(base, path));
  const { output } = await cruise(folders, {
    baseDir: base,
    // What is imported for its types alone counts as well.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    ruleSet: { forbidden: roomRules(rooms) },
    validate: true,
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default', 'require'],
      // Packages that hold types alone name no other entry.
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  });
  const others = (rooms.outside ?? [])
    .flatMap((folder) => sourcesIn(join(base, folder)))
    .map((path) => relative(base, path));
  const cruised = new Set(output.modules.map(({ source }) => source));
  // A cruiser that can't read TypeScript reads nothing and finds nothing wrong.
  const unread = sources.filter((path) => !cruised.has(path));
  const faults = output.summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`);
  return {
    modules: sources.length - unread.length,
    faults: [
      ...(sources.length === 0 ? [`nothing to read in ${folders.join(', ')}`] : []),
      ...sources.filter((path) => !hasRoom(rooms, path)).map((path) => `no-room: ${path}`),
      ...unread.map((path) => `not-read: ${path}`),
      ...new Set(faults),
      ...tooLong(base, [...sources, ...others], rooms.generated ?? []),
    ],
  };
}

async function main() {
  const require = createRequire(import.meta.url);
  let failed = false;
  for (const name of ['api', 'web']) {
    const { modules, faults } = await checkRooms(project, require(`../../../${name}/rooms.cjs`));
    process.stdout.write(`${name}: ${modules} modules, ${faults.length} faults\n`);
    for (const fault of faults) process.stdout.write(`  ${fault}\n`);
    failed ||= faults.length > 0;
  }
  process.exitCode = failed ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
