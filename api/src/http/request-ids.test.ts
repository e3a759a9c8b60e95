import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { requestIdOf, traceparentOf } from './request-ids.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
const made = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;

const idFor = (headers: Record<string, string | string[]>, trusted = true) =>
  requestIdOf({ headers } as unknown as IncomingMessage, trusted);

it.each([
  ['the id of a proxy', { 'x-request-id': '01JC-3X.a_7' }, '01JC-3X.a_7'],
  ['the trace of a proxy', { traceparent }, TRACE],
  ['the trace where both are there', { traceparent, 'x-request-id': 'an-id-of-the-proxy' }, TRACE],
  [
    'the id beside a broken trace',
    { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'x-request-id': 'an-id-01' },
    'an-id-01',
  ],
])('takes %s', (_what, headers, id) => {
  expect(idFor(headers)).toBe(id);
});

it.each([
  ['there is none', {}],
  ['it is short', { 'x-request-id': '1234567' }],
  ['it is long', { 'x-request-id': 'x'.repeat(65) }],
  ['it has other characters', { 'x-request-id': 'an id {"level":"error"}' }],
  ['it ends in a line break', { 'x-request-id': 'an-id-0001\n' }],
  ['it was given twice', { 'x-request-id': ['an-id-0001', 'an-id-0002'] }],
  ['the version of its trace is the forbidden one', { traceparent: `ff-${TRACE}-00f067aa0ba902b7-01` }],
  ['its span is missing', { traceparent: `00-${TRACE}-${'0'.repeat(16)}-01` }],
])('makes an id where %s', (_when, headers) => {
  expect(idFor(headers)).toMatch(made);
});

it('makes an id where no proxy is trusted with it', () => {
  expect(idFor({ traceparent, 'x-request-id': 'an-id-of-a-client' }, false)).toMatch(made);
});

it.each([
  ['of a proxy that is trusted with it', traceparent, true, traceparent],
  ['of a client', traceparent, false, undefined],
  ['that is broken, though the id of the request is in it', `xx-${TRACE}-nothing`, true, undefined],
])('has a caller by a traceparent %s', (_what, given, trusted, caller) => {
  const headers = { traceparent: given, 'x-request-id': TRACE };
  expect(traceparentOf({ headers } as unknown as IncomingMessage, trusted)).toBe(caller);
});
