import { expect, it } from 'vitest';
import { actorWords, outcomeWords } from './audit-words.ts';

it('says who acted', () => {
  expect(['admin', 'command', 'visitor', 'robot'].map(actorWords)).toEqual([
    'The admin',
    'A command on the server',
    'A visitor',
    'robot',
  ]);
});

it('says what it came to, and nothing where it was simply done', () => {
  expect(outcomeWords('done')).toBeNull();
  expect(outcomeWords('approved')).toEqual({ text: 'approved', failed: false });
  expect(outcomeWords('NOT_FOUND')).toEqual({ text: 'Refused: not found', failed: true });
});
