import { decodeHTMLStrict } from 'entities';
import { jsonrepair } from 'jsonrepair';
import { requireFewValues } from '../../record/few-values.ts';

/**
 * What is repaired of one page. Repairing takes time that grows with the square of the length: 64 KB of the worst take a
 * third of a second.
 */
const MAX_REPAIRED = 64 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON holds none of them but as escapes
const controls = /[\u0000-\u001f]/g;

const beginnings = ['<!--', '//<![CDATA[', '// <![CDATA[', '/*<![CDATA[*/', '/* <![CDATA[ */', '<![CDATA['];
const ends = ['//]]>', '// ]]>', '/*]]>*/', '/* ]]> */', ']]>', '//-->', '// -->', '-->', ';'];

/** The text without the comments and CDATA marks that old templates put around scripts, and without a last semicolon. */
function unwrapped(text: string): string {
  let inner = text.trim();
  for (let found = true; found; ) {
    const beginning = beginnings.find((mark) => inner.startsWith(mark));
    if (beginning !== undefined) inner = inner.slice(beginning.length).trimStart();
    const end = ends.find((mark) => inner.endsWith(mark));
    if (end !== undefined) inner = inner.slice(0, -end.length).trimEnd();
    found = beginning !== undefined || end !== undefined;
  }
  return inner;
}

function parsed(text: string): unknown {
  try {
    requireFewValues(text);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function repaired(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

/**
 * Reads the scripts of JSON-LD of one page. JSON that is broken in the usual ways is repaired, 64 KB of it at most: line
 * breaks in texts, trailing commas, comments, quotes written as entities, several objects one after the other.
 * @returns the value of a script; undefined when it can't be read even so
 */
export function jsonLdReader(): (script: string) => unknown {
  let mayRepair = MAX_REPAIRED;
  return (script) => {
    const text = unwrapped(script);
    if (text === '') return undefined;
    const plain = parsed(text) ?? parsed(text.replace(controls, ' '));
    if (plain !== undefined) return plain;
    // In a script, entities are not decoded by browsers, but some templates write them.
    const decoded = text.includes('&quot;') || text.includes('&#34;') ? decodeHTMLStrict(text) : text;
    const value = parsed(decoded);
    if (value !== undefined || decoded.length > mayRepair) return value;
    mayRepair -= decoded.length;
    return repaired(decoded.replace(/\}\s*\{/g, '}\n{'));
  };
}
