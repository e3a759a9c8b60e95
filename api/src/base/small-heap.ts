/**
 * Node's argument for a process that makes few objects at a time: V8 lets short-lived ones pile up to three times this size,
 * in megabytes, before it looks at them.
 */
export const smallSemiSpace = '--max-semi-space-size=1';
