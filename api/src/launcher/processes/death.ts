const KEPT_LINES = 30;

/** The last lines of a part, and what they say about its end. */
export interface LastLines {
  add(line: string): void;
  /** The end in one line, then the lines before it. */
  reason(how: string): string;
}

export function keepLastLines(): LastLines {
  let lines: string[] = [];
  return {
    add(line) {
      lines = [...lines, line].slice(-KEPT_LINES);
    },
    reason(how) {
      const telling = lines.filter((line) => line.trim() !== '' && !/^\s*at |^Node\.js v/.test(line));
      const cause = telling.findLast((line) => /error|fatal|panic/i.test(line)) ?? telling.at(-1);
      return [cause === undefined ? how : `${how}: ${cause.trim().slice(0, 300)}`, ...lines].join('\n    ');
    },
  };
}
