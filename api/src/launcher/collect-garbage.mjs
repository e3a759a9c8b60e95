// Collects once what loading and starting have left: V8 does it only when more memory is asked for, which at rest is never.
// Needs --expose-gc.
const AFTER_MS = 15_000;

setTimeout(() => globalThis.gc?.({ type: 'major', flavor: 'last-resort' }), AFTER_MS).unref();
