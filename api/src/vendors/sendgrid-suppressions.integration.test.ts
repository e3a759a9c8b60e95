import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Prism, startPrismServer } from '../../test/rest/prism.ts';
import { serverOfTest } from '../../test/set-up.ts';
import { makeSendgridSuppressions } from './sendgrid-suppressions.ts';

const DESCRIPTION = fileURLToPath(
  new URL('../../test/fixtures/openapi/sendgrid-suppressions-v3.json', import.meta.url),
);
const apiKey = 'SG.a-key-of-this-test';

describe('SendGrid’s client against SendGrid’s description of suppressions', () => {
  let prism: Prism;
  beforeAll(async () => {
    prism = await startPrismServer(DESCRIPTION);
  }, 100_000);
  afterAll(() => prism?.stop());

  it('sends only valid requests', async () => {
    const suppressions = makeSendgridSuppressions({ apiKey, apiBase: prism.url });
    await suppressions.remove('ada+cars@example.com');
  });

  it('would fail with an invalid request', async () => {
    const suppressions = makeSendgridSuppressions({ apiKey, apiBase: prism.url });
    await expect(suppressions.remove('no address')).rejects.toMatchObject({ code: 'VENDOR' });
  });
});

describe('an address', () => {
  async function removing(status: (path: string) => number) {
    const asked: string[] = [];
    const apiBase = await serverOfTest((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(status(String(request.url)), { 'content-type': 'application/json' }).end('{}');
    });
    const error = await makeSendgridSuppressions({ apiKey, apiBase })
      .remove('a/b?c@example.com')
      .catch((failure: unknown) => failure);
    return { error, asked };
  }

  it('is removed from every list, also where some do not have it', async () => {
    const { error, asked } = await removing((path) => (path.includes('bounces') ? 204 : 404));
    expect(error).toBeUndefined();
    expect(asked).toEqual(
      ['suppression/bounces', 'suppression/blocks', 'suppression/invalid_emails', 'suppression/spam_reports']
        .concat('asm/suppressions/global')
        .map((list) => `DELETE /v3/${list}/a%2Fb%3Fc%40example.com`),
    );
  });

  it.each([401, 403, 429, 500])('stays on them after a %i, which is reported', async (status) => {
    const { error } = await removing(() => status);
    expect(error).toMatchObject({ code: 'VENDOR' });
    expect(String(error)).not.toContain(apiKey);
  });
});
