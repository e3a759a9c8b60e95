import { createHash } from 'node:crypto';

type Directive =
  | 'script-src'
  | 'style-src'
  | 'style-src-elem'
  | 'style-src-attr'
  | 'img-src'
  | 'connect-src'
  | 'font-src'
  | 'manifest-src'
  | 'worker-src'
  | 'form-action';

/** The sources that a page may use, by directive. */
export type Allowed = Partial<Record<Directive, readonly string[]>>;

const NOTHING = ["'none'"];
/** All but the first don't fall back to `default-src`. */
const nothing = {
  'default-src': NOTHING,
  'base-uri': NOTHING,
  'object-src': NOTHING,
  'frame-ancestors': NOTHING,
  'form-action': NOTHING,
};

/** Makes a Content-Security-Policy that forbids everything else. */
export const contentPolicy = (allowed: Allowed = {}): string =>
  Object.entries({ ...nothing, ...allowed })
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ');

/** The source that allows exactly this inline style. */
export const styleSource = (css: string): string =>
  `'sha256-${createHash('sha256').update(css, 'utf8').digest('base64')}'`;
