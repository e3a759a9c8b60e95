import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { staticWeb } from './static-web.ts';

describe('the web app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'static-web-'));
  const servers: Server[] = [];
  beforeAll(() =>
    writeFileSync(join(folder, 'index.html'), '<!doctype html>\n<html lang="en"><body>app</body></html>'),
  );
  afterAll(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  });

  const serve = (testMode: boolean) =>
    new Promise<string>((settle) => {
      const server = createServer(express().use(staticWeb(folder, testMode))).listen(0, '127.0.0.1', () =>
        settle(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
      servers.push(server);
    });

  it('answers every page address, marked in test mode alone', async () => {
    const [test, production] = await Promise.all([serve(true), serve(false)]);
    const page = async (address: string) => {
      const answer = await fetch(address);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      return answer.text();
    };
    expect(await page(`${test}/alert/1`)).toContain('<html data-test-mode lang="en">');
    expect(await page(`${production}/alert/1`)).toContain('<html lang="en">');
  });

  it('has no page in the place of a missing file', async () => {
    expect((await fetch(`${await serve(true)}/assets/gone.js`)).status).toBe(404);
  });
});
