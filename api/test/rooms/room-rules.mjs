/**
 * @typedef {{ sees: 'all' | string[], seenFrom: string[] }} Annex
 * @typedef {{ root: string, floors: string[][], annexes?: Record<string, Annex>, packages?: Record<string, string[]>, guests?: string[] }} Rooms
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
export function hasRoom({ root, floors }, path) {
  if (!path.startsWith(`${root}/`) || new RegExp(TESTS).test(path)) return true;
  return floors.flat().some((room) => new RegExp(within(root, room)).test(path));
}

/**
 * The rules of dependency-cruiser that follow from one list of floors.
 * @param {Rooms} rooms
 */
export function roomRules({ root, floors, annexes = {}, packages = {}, guests = [] }) {
  const forbidden = [
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'own-house',
      severity: 'error',
      from: { path: `^${literal(root)}/`, pathNot: TESTS },
      // Of the other package, and of a root's surroundings, only what is named.
      to: {
        path: '^(api|web)/',
        pathNot: [
          ...[root, ...Object.keys(annexes)].map((folder) => `^${literal(folder)}/`),
          ...guests.map((guest) => `^${literal(guest)}${guest.endsWith('/') ? '' : '$'}`),
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
        name: `${room}-looks-down`,
        severity: 'error',
        from: { path: within(root, room), pathNot: TESTS },
        to: { path: others },
      });
    }
  });
  for (const [annex, { sees, seenFrom }] of Object.entries(annexes)) {
    const path = `^${literal(annex)}/`;
    forbidden.push({
      name: `${annex}-seen-from`,
      severity: 'error',
      from: { path: `^${literal(root)}/`, pathNot: [TESTS, ...seenFrom.map((room) => within(root, room))] },
      to: { path },
    });
    if (sees === 'all') continue;
    forbidden.push({
      name: `${annex}-sees`,
      severity: 'error',
      from: { path, pathNot: TESTS },
      to: { path: `^${literal(root)}/`, pathNot: sees.map((room) => within(root, room)) },
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
