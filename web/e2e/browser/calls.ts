import type { Page } from 'playwright-core';

interface Call {
  operationName: string;
  variables: unknown;
}

/** What the page asks over HTTP from now on, growing. */
export function collectCalls(page: Page): readonly Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql') && request.method() === 'POST') calls.push(request.postDataJSON());
  });
  return calls;
}
