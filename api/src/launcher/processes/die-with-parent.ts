import { existsSync } from 'node:fs';

const setpriv = ['/usr/bin/setpriv', '/bin/setpriv', '/usr/local/bin/setpriv'].find((path) => existsSync(path));

/**
 * What to put before a command so that the kernel sends it `signal` when this process ends, however it ends.
 * Empty where the system has no such thing: there the child itself must watch for its parent.
 */
export function dieWithParent(signal: 'INT' | 'KILL'): string[] {
  return setpriv ? [setpriv, `--pdeathsig=${signal}`, '--'] : [];
}

export { setpriv };
