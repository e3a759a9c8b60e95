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

const NONE = ["'none'"];
/** `object-src` is stated beside `default-src`, to which it falls back; the others have no such fallback. */
const baseDirectives = {
  'default-src': NONE,
  'base-uri': NONE,
  'object-src': NONE,
  'frame-ancestors': NONE,
  'form-action': NONE,
};

/** Makes a Content-Security-Policy that allows only these sources. */
export const contentPolicy = (allowed: Allowed = {}): string =>
  Object.entries({ ...baseDirectives, ...allowed })
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ');

/** The source that allows exactly this inline style. */
export const styleSource = (css: string): string =>
  `'sha256-${createHash('sha256').update(css, 'utf8').digest('base64')}'`;
