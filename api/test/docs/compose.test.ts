import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readSettings } from '../../src/base/settings/settings.ts';

const compose = readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');
const service = compose.slice(compose.indexOf('\n  lotwatch:'), compose.indexOf('\nvolumes:'));
const required = Object.fromEntries(
  ['POSTGRES_PASSWORD', 'MONGO_PASSWORD', 'SENDGRID_API_KEY', 'MAIL_FROM', 'SUPPORT_EMAIL'].map((name) => [
    name,
    'x-1',
  ]),
);

/** Replaces `${NAME:-else}` and `${NAME:?why}` as Compose does, inner ones first. */
function interpolate(value: string, given: Record<string, string>): string {
  const filled = value.replace(/\$\{(\w+):([-?])([^${}]*)\}/g, (_whole, name: string, kind: string, rest: string) => {
    if (given[name]) return given[name];
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
  return filled === value ? value : interpolate(filled, given);
}

function settingsOf(given: Record<string, string>) {
  const lines = service.slice(service.indexOf('    environment:')).matchAll(/^ {6}([A-Z_]+): (.*)$/gm);
  return readSettings(
    Object.fromEntries(
      [...lines].map(([, name = '', value = '']) => [name, interpolate(value.replaceAll('"', ''), given)]),
    ),
  );
}

it('docker compose runs in production mode, without development pages, on a port of the local machine only', () => {
  const settings = settingsOf({ ...required, SESSION_SECRET: 's'.repeat(32) });
  expect(settings).toMatchObject({
    production: true,
    developmentPages: false,
    demo: { on: false },
    confirmEmail: true,
  });
  expect(settings.publicUrl).toBe('http://localhost:4000');
  const ports = [...compose.matchAll(/^ {4}ports:\n((?: {6}- .*\n)+)/gm)].map(([, list = '']) => list.trim());
  expect(ports.map((port) => interpolate(port, {}))).toEqual(['- 127.0.0.1:4000:4000']);
});

it('docker compose requires every setting that production needs', () => {
  for (const name of Object.keys(required))
    expect(() => settingsOf({ ...required, SESSION_SECRET: 's'.repeat(32), [name]: '' })).toThrow(name);
});

it('docker compose passes on where sources are named, and mounts the folder of that file', () => {
  const given = { SOURCES_FILE: '/sources/lots.json', SOURCE_PRIVATE_NETWORK: 'on' };
  const settings = settingsOf({ ...required, SESSION_SECRET: 's'.repeat(32), ...given });
  expect(settings).toMatchObject({ sourcesFile: '/sources/lots.json', sourcePrivateNetwork: true });
  expect(interpolate(service, { ...required, SESSION_SECRET: 's' })).toContain('- ./sources:/sources:ro\n');
});

it('docker compose refuses development mode, because the container listens on all interfaces', () => {
  const given = { ...required, SESSION_SECRET: 's'.repeat(32), NODE_ENV: 'development' };
  expect(() => settingsOf(given)).toThrow(/HOST: outside production 0\.0\.0\.0 is refused/);
});
