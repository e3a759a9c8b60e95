import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../src/base/settings/settings.ts';

interface Service {
  image: string;
  environment: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: { disable?: boolean };
  restart: string;
  user?: string;
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
}

const root = new URL('../../../', import.meta.url);
const compose = parse(readFileSync(new URL('docker-compose.yml', root), 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};
const services = Object.entries(compose.services);
const secrets = ['POSTGRES_PASSWORD', 'MONGO_PASSWORD', 'SENDGRID_API_KEY', 'MAIL_FROM', 'SUPPORT_EMAIL'];
const required = {
  ...Object.fromEntries(secrets.map((name) => [name, 'x-1'])),
  SESSION_SECRET: 's'.repeat(32),
};

/** Replaces `${NAME:-else}`, `${NAME:+then}` and `${NAME:?why}` as Compose does, inner ones first. */
function interpolate(value: string, given: Record<string, string>): string {
  const filled = value.replace(/\$\{(\w+):([-?+])([^${}]*)\}/g, (_whole, name: string, kind: string, rest: string) => {
    if (kind === '+') return given[name] ? rest : '';
    if (given[name]) return given[name];
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
  return filled === value ? value : interpolate(filled, given);
}

function settingsOf(given: Record<string, string>, service = 'api1') {
  const environment = Object.entries(compose.services[service]?.environment ?? {});
  return readSettings(Object.fromEntries(environment.map(([name, value]) => [name, interpolate(value, given)])));
}

it('docker compose runs apis and workers in production mode, without development pages', () => {
  for (const [service, role] of [
    ['api1', 'api'],
    ['api2', 'api'],
    ['worker1', 'worker'],
    ['worker2', 'worker'],
  ] as const) {
    expect(settingsOf(required, service)).toMatchObject({
      role,
      production: true,
      developmentPages: false,
      demo: { on: false },
      confirmEmail: true,
      publicUrl: 'http://localhost:4000',
      trustedProxies: 1,
      trustedRequestIds: true,
      health: { host: '0.0.0.0', port: 9464 },
    });
  }
  expect(settingsOf(required).drainSeconds).toBe(5);
});

it('docker compose sends statements through the pooler where one is named, and past it what needs a session', () => {
  expect(settingsOf(required)).toMatchObject({
    databaseUrl: 'postgres://lotwatch:x-1@postgres:5432/lotwatch',
    databaseDirectUrl: undefined,
    databaseLayout: undefined,
  });
  expect(settingsOf({ ...required, POOLER: 'pooler:6432' })).toMatchObject({
    databaseUrl: 'postgres://lotwatch:x-1@pooler:6432/lotwatch',
    databaseDirectUrl: 'postgres://lotwatch:x-1@postgres:5432/lotwatch',
  });
});

it('docker compose uses the cluster of its profile where it is named', () => {
  const given = { ...required, DATABASE_SERVER: 'coordinator:5432', DATABASE_LAYOUT: 'citus' };
  expect(settingsOf(given)).toMatchObject({
    databaseUrl: 'postgres://lotwatch:x-1@coordinator:5432/lotwatch',
    databaseDirectUrl: undefined,
    databaseLayout: 'citus',
  });
});

it('docker compose publishes ports of this machine alone, and none of a process or of the database of production', () => {
  const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, interpolate(port, {})]));
  expect(published.filter(([, port]) => !port?.startsWith('127.0.0.1:'))).toEqual([]);
  // The coordinator is there to be tried by a process of this machine.
  expect(new Set(published.map(([name]) => name))).toEqual(new Set(['proxy', 'coordinator', 'prometheus', 'grafana']));
});

it('docker compose requires every setting that production needs', () => {
  for (const name of Object.keys(required)) expect(() => settingsOf({ ...required, [name]: '' })).toThrow(name);
});

it('docker compose passes on where sources are named, and mounts the folder of that file', () => {
  const given = { SOURCES_FILE: '/sources/lots.json', SOURCE_PRIVATE_NETWORK: 'on' };
  const settings = settingsOf({ ...required, ...given }, 'worker1');
  expect(settings).toMatchObject({ sourcesFile: '/sources/lots.json', sourcePrivateNetwork: true });
  const { volumes = [] } = compose.services.worker1 ?? {};
  expect(volumes.map((volume) => interpolate(volume, {}))).toContain('./sources:/sources:ro');
});

it('docker compose refuses development mode, because the container listens on all interfaces', () => {
  expect(() => settingsOf({ ...required, NODE_ENV: 'development' })).toThrow(
    /HOST: outside production 0\.0\.0\.0 is refused/,
  );
});

it.each(services)('the service %s may do no more than it needs', (_name, service) => {
  expect(service.read_only).toBe(true);
  expect(service.cap_drop).toEqual(['ALL']);
  expect(service.security_opt).toEqual(['no-new-privileges:true']);
  // A tag that moves would be another program at the next start.
  expect(service.image).toMatch(/:(local$|v?\d+\.\d+)/);
  const runsOn = service.restart !== 'no';
  const watches = /prometheus|grafana/.test(service.image);
  if (runsOn && !watches) expect(service.healthcheck?.disable ?? service.healthcheck === undefined).toBe(false);
  if (service.image === 'lotwatch:local') {
    expect(service.user).toBe('node');
    const drain = settingsOf(required).drainSeconds;
    expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(drain + 15);
  }
});

it('docker compose mounts files and volumes that exist', () => {
  const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => interpolate(volume, {})));
  const sources = mounts.map((mount) => mount.split(':')[0] ?? '').filter((source) => source !== './sources');
  const missing = sources.filter((source) =>
    source.startsWith('.') ? !existsSync(new URL(source, root)) : !(source in compose.volumes),
  );
  expect(missing).toEqual([]);
  for (const [, { depends_on = {} }] of services)
    expect(Object.keys(depends_on).filter((name) => !(name in compose.services))).toEqual([]);
});
