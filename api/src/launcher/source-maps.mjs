// Maps the frames of errors to our sources. Node's own support reads every map at once, which takes 10 to 25 MB a process;
// here a map is read when a stack goes through its file, and forgotten when the memory is needed.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** @type {Map<string, WeakRef<SourceMap>>} */
const maps = new Map();

/** @returns the map of a file of the bundle, undefined for a file without one */
function mapOf(url) {
  const known = maps.get(url)?.deref();
  if (known !== undefined) return known;
  try {
    const map = new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
    maps.set(url, new WeakRef(map));
    return map;
  } catch {
    return undefined;
  }
}

function placeOf(frame) {
  const url = frame.getFileName();
  if (!url?.startsWith('file:') || !url.endsWith('.mjs')) return `${frame}`;
  const origin = mapOf(url)?.findOrigin(frame.getLineNumber(), frame.getColumnNumber());
  if (origin?.fileName === undefined) return `${frame}`;
  const place = `${fileURLToPath(new URL(origin.fileName, url))}:${origin.lineNumber}:${origin.columnNumber}`;
  const name = /^(.*) \(.*\)$/.exec(`${frame}`)?.[1];
  return name === undefined ? place : `${name} (${place})`;
}

/** By its decorators the ORM looks from which file an entity comes, and needs it only where it searches folders for entities. */
const isOfDecorator = (frames) => frames[0]?.getFunctionName() === 'lookupPathFromDecorator';

Error.prepareStackTrace = (error, frames) => {
  const place = isOfDecorator(frames) ? String : placeOf;
  return [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${place(frame)}`)].join('\n');
};
