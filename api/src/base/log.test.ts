import { expect, it } from 'vitest';
import { makeLog } from './log.ts';
import { withRequestId } from './request-id.ts';

function logged(write: (log: ReturnType<typeof makeLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(makeLog('api', (line) => lines.push(line)));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it('writes the level, the time, the part, the fields and the message, and nothing else', () => {
  const [line, bare] = logged((log) => {
    log.warn('lease lost', { source: 'demo', tries: 2, until: null });
    log.error('poll failed');
  });
  expect(line).toEqual({
    level: 'warn',
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    part: 'api',
    source: 'demo',
    tries: 2,
    until: null,
    message: 'lease lost',
  });
  expect(Object.keys(bare ?? {})).toEqual(['level', 'at', 'part', 'message']);
});

it('writes the id of the request for which the line is written, unless the line is about another one', async () => {
  const lines: string[] = [];
  const log = makeLog('api', (line) => lines.push(line));
  await withRequestId('of-a-request', async () => {
    await Promise.resolve();
    log.info('read');
    log.info('sent', { requestId: 'of-a-message' });
  });
  expect(lines.map((line) => JSON.parse(line).requestId)).toEqual(['of-a-request', 'of-a-message']);
});

it('leaves out what a database adds to its errors, as that quotes rows', () => {
  const fault = () => Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(ana@example.test) exists.' });
  const [line] = logged((log) => log.error('failed', { error: fault(), err: fault() }));
  const shown = { name: 'Error', message: 'duplicate key', stack: expect.any(String) };
  expect(line).toEqual(expect.objectContaining({ message: 'failed', error: shown, err: shown }));
  expect(JSON.stringify(line)).not.toContain('example.test');
});

it('does not fail for fields that JSON can not hold', () => {
  const circular: Record<string, unknown> = { name: 'a' };
  circular.self = circular;
  const hostile = {
    toJSON() {
      throw new Error('no');
    },
  };
  const lines = logged((log) => {
    log.info('circular', { circular });
    log.info('big', { rows: 10n, nested: { rows: 10n } });
    log.info('hostile', { hostile });
  });
  expect(lines.map(({ message }) => message)).toEqual(['circular', 'big', 'hostile']);
});
