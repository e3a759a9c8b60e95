import { expect, it } from 'vitest';
import { networkOf, plainAddress } from './network.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:0201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::2%eth1', 'fe80:0:0:0::/64'],
  ['', ''],
  ['unknown', 'unknown'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ['192.0.2.1:5678', '192.0.2.1'],
  ['[2001:db8::1]:5678', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  [' 2001:DB8:0::1 ', '2001:db8::1'],
  ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
  ['192.0.2.1:', null],
  ['192.0.2', null],
  ['0x7f.1', null],
  ['192.0.2.1, 192.0.2.2', null],
  ['unknown', null],
  ['_hidden', null],
  ['[]', null],
  ['', null],
  ['%', null],
])('%j is normalized to %s', (text, address) => {
  expect(plainAddress(text)).toBe(address);
});
