import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import { hasRoom, roomRules } from './room-rules.mjs';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCE = /(?<!\.d)\.tsx?$/;

function sourcesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Checks the imports of one package against its floors.
 * @param {string} base the project's folder
 * @param {import('./room-rules.mjs').Rooms} rooms
 * @returns {Promise<{ modules: number, faults: string[] }>}
 */
export async function checkRooms(base, rooms) {
  const folders = [rooms.root, ...Object.keys(rooms.annexes ?? {})].filter((folder) => existsSync(join(base, folder)));
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
