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

/** What a page may do beyond being read. */
export type Allowed = Partial<Record<Directive, readonly string[]>>;

const NOTHING = ["'none'"];
/** These don't fall back to `default-src`. */
const nothing = {
  'default-src': NOTHING,
  'base-uri': NOTHING,
  'object-src': NOTHING,
  'frame-ancestors': NOTHING,
  'form-action': NOTHING,
};

/** A Content-Security-Policy that forbids whatever is not allowed. */
export const contentPolicy = (allowed: Allowed = {}): string =>
  Object.entries({ ...nothing, ...allowed })
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ');

/** The source that lets a browser take exactly this style, in the page as it stands here. */
export const styleSource = (css: string): string =>
  `'sha256-${createHash('sha256').update(css, 'utf8').digest('base64')}'`;
