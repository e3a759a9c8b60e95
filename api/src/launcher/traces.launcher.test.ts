import { join } from 'node:path';
import { expect, it } from 'vitest';
import { launchLotWatch, untilServed } from '../../test/running-lotwatch.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { startOtlpReceiver } from '../../test/traces/otlp-receiver.ts';

const dataDir = join(setUpFolder(), 'data');

it('api and worker send what is left of their traces when they are told to stop', {
  tags: 'long',
  timeout: 240_000,
}, async () => {
  const receiver = await startOtlpReceiver();
  const lotWatch = await launchLotWatch(dataDir, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  await untilServed(lotWatch, 120_000);
  await expect.poll(() => receiver.spans.some(({ name }) => name === 'match-listings'), { timeout: 30_000 }).toBe(true);
  const answer = await fetch(`${lotWatch.url}/api/subscription/plans`);
  const requestId = String(answer.headers.get('x-request-id'));
  expect(answer.status).toBe(200);
  lotWatch.process.kill('SIGTERM');
  await lotWatch.ended;
  const ofRequest = receiver.spans.filter(({ traceId }) => traceId === requestId.replaceAll('-', ''));
  expect(ofRequest.map(({ service, name }) => `${service} ${name}`)).toEqual(
    expect.arrayContaining(['lotwatch-api GET rest', 'lotwatch-api query plans']),
  );
  expect(new Set(receiver.spans.map(({ service }) => service))).toEqual(new Set(['lotwatch-api', 'lotwatch-worker']));
  await receiver.close();
});
