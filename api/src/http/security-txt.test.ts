import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import { securityTxt } from './security-txt.ts';

it('says where to report a weakness, in the form of RFC 9116', async () => {
  const site = { publicUrl: 'https://lot.example', supportEmail: 'help@lot.example' };
  const server = express().use(securityTxt(site)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/.well-known/security.txt`);
  const text = await answer.text();
  server.close();
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const fields = Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/).slice(0, 2)),
  );
  expect(fields).toMatchObject({
    Contact: 'mailto:help@lot.example',
    Canonical: 'https://lot.example/.well-known/security.txt',
  });
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(170);
  expect(days).toBeLessThan(365);
});
