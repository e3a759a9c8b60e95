// Loaded with --import by a process of LotWatch: when it exits, it writes the names of the packages that it has loaded.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

const folder = process.env.LIST_PACKAGES_IN;
const names = new Set();
registerHooks({
  load(url, context, next) {
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url) ?? [];
    if (name !== undefined) names.add(name);
    return next(url, context);
  },
});
process.on('exit', () => {
  const part = process.env.LOTWATCH_PART ?? process.pid;
  writeFileSync(join(folder, `${part}.json`), JSON.stringify([...names].sort()));
});
