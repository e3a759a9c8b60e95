// Loaded with --import by a process of LotWatch: when it exits, it writes the names of the packages that it has loaded.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.env.LIST_PACKAGES_IN;
const names = new Set();

/** The files that a file of the bundle was made of, or itself. */
function sourcesOf(url) {
  const map = url.includes('/.cache/parts/') ? `${fileURLToPath(url)}.map` : '';
  return existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')).sources : [url];
}

registerHooks({
  load(url, context, next) {
    for (const source of sourcesOf(url)) {
      const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(source) ?? [];
      if (name !== undefined) names.add(name);
    }
    return next(url, context);
  },
});
process.on('exit', () => {
  const part = process.env.LOTWATCH_PART ?? process.pid;
  writeFileSync(join(folder, `${part}.json`), JSON.stringify([...names].sort()));
});
