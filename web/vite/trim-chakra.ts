import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

/** Chakra's own components write styles, too; those that we use are read like our source. */
const sources = ['web/src/**/*.{ts,tsx}', 'node_modules/@chakra-ui/react/dist/esm/components/{box,flex,grid}/*.js'];

/** Every word of the source, a superset of the names of the styles that it uses. */
function wordsOfSource(): Set<string> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const words = new Set<string>();
  for (const file of globSync(sources, { cwd: root }))
    for (const [word] of readFileSync(`${root}${file}`, 'utf8').matchAll(/[a-zA-Z]+/g)) words.add(word);
  return words;
}

type Program = ReturnType<Rolldown.PluginContext['parse']>;
type Declaration = Extract<Program['body'][number], { type: 'VariableDeclaration' }>['declarations'][number];
type Expression = NonNullable<Declaration['init']>;

const nameOf = (key: object): string => ('name' in key && typeof key.name === 'string' ? key.name : '');

/** The words by which a utility is written: its name and its shorthands. */
function namesOf(key: object, value: Expression): string[] {
  const names = [nameOf(key)];
  if (value.type !== 'ObjectExpression') return names;
  for (const property of value.properties) {
    if (property.type !== 'Property' || nameOf(property.key) !== 'shorthand') continue;
    const given = property.value.type === 'ArrayExpression' ? property.value.elements : [property.value];
    for (const one of given) if (one?.type === 'Literal' && typeof one.value === 'string') names.push(one.value);
  }
  return names;
}

/** The parts of Chakra's preset, from their first to after their last character, that no word of the source names. */
function unusedIn(program: Program, words: ReadonlySet<string>): [from: number, to: number][] {
  const unused: [number, number][] = [];
  const read = (object: Expression) => {
    if (object.type !== 'ObjectExpression') return;
    for (const property of object.properties) {
      if (property.type !== 'Property') continue;
      if (namesOf(property.key, property.value).some((name) => words.has(name))) continue;
      unused.push([property.start, property.end]);
    }
  };
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement.declarations) {
      const [config] = init?.type === 'CallExpression' ? init.arguments : [];
      if (config?.type !== 'ObjectExpression') continue;
      if (nameOf(id) === 'defaultConditions') read(config);
      if (nameOf(id) !== 'defaultBaseConfig') continue;
      for (const property of config.properties)
        if (property.type === 'Property' && nameOf(property.key) === 'utilities') read(property.value);
    }
  }
  return unused;
}

/** Chakra's `memo` hashes in script what the browser can write as JSON, and orders its entries again at each look. */
const memo = `export const memo = (make) => {
  const byText = new Map();
  const byJson = new Map();
  return (...args) => {
    const isText = args.length === 1 && typeof args[0] === 'string';
    const made = isText ? byText : byJson;
    const key = isText ? args[0] : JSON.stringify(args);
    let result = made.get(key);
    if (result === undefined) {
      if (made.size > 2000) made.clear();
      result = make(...args);
      made.set(key, result);
    }
    return result;
  };
};`;

/**
 * Leaves out of Chakra's preset what no source uses: most of its 250 utilities and 110 conditions, each of which costs
 * time at the start of the app. A style that is used is a word of the source, so there is no list to keep.
 */
export function trimChakra(): Plugin {
  const words = wordsOfSource();
  return {
    name: 'trim-chakra',
    apply: 'build',
    transform: {
      filter: {
        id: /@chakra-ui\/react\/dist\/esm\/(preset-base|utils\/memo)\.js$|@pandacss\/is-valid-prop\/dist\/index\.mjs$/,
      },
      handler(code, id) {
        if (id.endsWith('memo.js')) {
          if (!code.includes('export { memo };')) this.error("Chakra's memo has another form");
          return { code: memo, map: null };
        }
        if (id.endsWith('index.mjs')) {
          const list = /(?<=cssPropertiesStr = ")[^"]+/;
          if (!list.test(code)) this.error('There is no list of CSS properties');
          const used = code.replace(list, (all) =>
            all
              .split(',')
              .filter((name) => words.has(name))
              .join(),
          );
          return { code: used, map: null };
        }
        const unused = unusedIn(this.parse(code), words);
        if (unused.length < 100) this.error("Chakra's preset has another form");
        let used = code;
        // From the last to the first, so that the positions of the others stay right.
        for (const [from, to] of unused.reverse())
          used = used.slice(0, from) + used.slice(used[to] === ',' ? to + 1 : to);
        return { code: used, map: null };
      },
    },
  };
}
