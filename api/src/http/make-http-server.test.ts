import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import type { Pool } from '../base/database.ts';
import { healthCheck } from './make-http-server.ts';

const databases: { name: string; status: number; query: () => Promise<unknown> }[] = [
  { name: 'answers', status: 200, query: () => Promise.resolve({ rows: [] }) },
  { name: 'is away', status: 503, query: () => Promise.reject(new Error('connect ECONNREFUSED')) },
  { name: 'is silent', status: 503, query: () => new Promise(() => {}) },
];

it.each(databases)('answers $status when the database $name', async ({ status, query }) => {
  const app = express().get('/healthz', healthCheck({ query } as unknown as Pool, 200));
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ status: status === 200 ? 'ok' : 'database unreachable' });
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
