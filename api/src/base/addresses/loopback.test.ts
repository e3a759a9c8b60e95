import { expect, it } from 'vitest';
import { isLoopbackHost, namesLoopback } from './loopback.ts';

it.each([
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['localhost', true],
  ['LocalHost', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['::1%lo', false],
  ['::ffff:10.0.0.1', false],
  ['128.0.0.1', false],
  ['192.168.0.1', false],
  ['localhost.example', false],
  ['', false],
])('a server on %s can be reached only from this machine: %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

it.each([
  ['localhost', true],
  ['localhost:4000', true],
  ['LOCALHOST:4000', true],
  ['127.0.0.1:4000', true],
  ['127.9.8.7', true],
  ['[::1]', true],
  ['[::1]:4000', true],
  [undefined, false],
  ['', false],
  [' ', false],
  [':4000', false],
  ['::1', false],
  ['[]', false],
  ['[::1', false],
  ['[::1%25lo]', false],
  ['localhost:', false],
  ['localhost:4000:1', false],
  ['localhost.evil.example', false],
  ['localhost@evil.example', false],
  ['127.0.0.1.nip.io', false],
  ['127.0.0.1, evil.example', false],
  ['2130706433', false],
  ['0.0.0.0:4000', false],
  ['10.0.0.7:4000', false],
  ['evil.example', false],
])('the Host header %j is a loopback name or address: %s', (header, expected) => {
  expect(namesLoopback(header)).toBe(expected);
});
