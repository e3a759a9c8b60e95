import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { shapeFaults } from './object-shapes.ts';
import type { RequestCheck } from './request-checks.ts';

export interface CheckingProxy {
  url: string;
  /** Every request that Stripe would refuse, with why. */
  rejected: string[];
  /** Every field of an answer that isn't Stripe's. */
  misshapen: Set<string>;
  /** Method and path of all that was asked, with `:id` for ids. */
  asked: Map<string, number>;
  close(): Promise<void>;
}

const passedOn = ['authorization', 'content-type', 'idempotency-key', 'stripe-version'];

/** Stands before the sandbox, which answers, and shows each request to a check as well. */
export async function startCheckingProxy(target: string, check: RequestCheck): Promise<CheckingProxy> {
  const rejected: string[] = [];
  const misshapen = new Set<string>();
  const asked = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', target);
    const body = await text(request);
    const method = request.method ?? 'GET';
    const headers = Object.fromEntries(
      passedOn.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
    );
    const form = method === 'POST' ? body : search.slice(1) || body;
    const name = `${method} ${pathname.replaceAll(/\/[a-z]+_(?:test_)?\w{8,}/g, '/:id')}`;
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const why = await check({ method, path: pathname, form, headers });
    if (why !== null) rejected.push(`${name} ${decodeURIComponent(form)} → ${why}`);
    const answer = await fetch(`${target}${pathname}${search}`, {
      method,
      headers,
      ...(method !== 'GET' && body !== '' && { body }),
    });
    const told = await answer.text();
    if (answer.ok) for (const fault of shapeFaults(JSON.parse(told))) misshapen.add(fault);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(told);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rejected,
    misshapen,
    asked,
    close: () =>
      new Promise((settle) => {
        server.close(() => settle());
        server.closeAllConnections();
      }),
  };
}
