import { describe, expect, it } from 'vitest';
import { findWords, readWords } from './check-words.ts';

const words = readWords(
  '# a comment\n\nhand(s|ed)? over -> deliver except handedOverAt\ngates? -> quota except api/data/, Golden Gate\n',
);

describe('the check of words', () => {
  it.each([
    ['in a comment', '// It hands over the mail.'],
    ['in a name', 'const handOver = 1;'],
    ['in a constant', 'const HAND_OVER_MS = 1;'],
    ['in SQL', 'select hand_over from mails'],
    ['in an import', "import './hand-over/claim.ts';"],
    ['across two lines of a comment', ' * It is handed\n * over.'],
  ])('finds a phrase %s', (_where, text) => {
    expect(findWords(words, 'api/a.ts', text)).toEqual([expect.stringMatching(/^api\/a\.ts:1: .+ → deliver$/)]);
  });

  it('names the line, and calls the path line 0', () => {
    expect(findWords(words, 'api/gate.ts', 'a\nb\nthe gates')).toEqual([
      'api/gate.ts:0: gate → quota',
      'api/gate.ts:3: gates → quota',
    ]);
  });

  it('accepts a part of a longer word', () => {
    expect(findWords(words, 'api/a.ts', 'investigate, gateway, shorthand overview')).toEqual([]);
  });

  it('accepts excepted names and places', () => {
    expect(findWords(words, 'api/a.ts', 'match.handedOverAt; Golden Gate')).toEqual([]);
    expect(findWords(words, 'api/data/cars.ts', 'gate')).toEqual([]);
    expect(findWords(words, 'api/a.ts', 'handedOverAt, handOver')).toHaveLength(1);
  });

  it('refuses a line without a better word', () => {
    expect(() => readWords('gate ->\n')).toThrow('gate');
  });
});
