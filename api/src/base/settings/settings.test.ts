import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from './settings.ts';

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://lotwatch.example/',
  TRUSTED_PROXIES: '1',
  SESSION_SECRET: 's'.repeat(32),
  SENDGRID_API_KEY: 'SG.key',
  MAIL_FROM: 'alerts@lotwatch.example',
  SUPPORT_EMAIL: 'help@lotwatch.example',
};

/** The settings that a separate process needs. */
const apart = { DATABASE_URL: 'postgres://here/db', SESSION_SECRET: 's'.repeat(32) };

function faultsOf(environment: Record<string, string>): string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
}

describe('settings', () => {
  it('have a default for everything outside production', () => {
    expect(readSettings({})).toMatchObject({
      production: false,
      developmentPages: true,
      port: 4000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:4000',
      dataDir: './.data',
      databaseUrl: undefined,
      databaseLayout: undefined,
      databaseSynchronous: false,
      databaseConnections: 20,
      mongoUrl: undefined,
      role: 'all',
      sessionSecret: undefined,
      demo: { on: true, perSecond: 2, seed: undefined },
      ingestToken: undefined,
      confirmEmail: false,
      rateLimits: {
        on: true,
        loginsPerAccount: 10,
        loginsPerAccountEverywhere: 50,
        loginsPerAddress: 100,
        registrationsPerAddress: 30,
        requestsPerUser: 600,
      },
      corsOrigins: [],
      trustedProxies: 0,
      trustedRequestIds: false,
      socketsPerNetwork: 2000,
    });
  });

  it('differ in production', () => {
    expect(readSettings(production)).toMatchObject({
      production: true,
      developmentPages: false,
      host: '0.0.0.0',
      publicUrl: 'https://lotwatch.example',
      trustedProxies: 1,
      trustedRequestIds: false,
      demo: { on: false },
      confirmEmail: true,
    });
  });

  it('treat an empty variable as unset', () => {
    const empty = { PORT: '', HOST: '', PUBLIC_URL: '', DATABASE_URL: '', ROLE: '', DEMO_SEED: '', CONFIRM_EMAIL: '' };
    expect(readSettings(empty)).toEqual(readSettings({}));
  });

  it.each([
    [{ PORT: '8080' }, { port: 8080, publicUrl: 'http://localhost:8080' }],
    [{ PORT: '8080', PUBLIC_URL: 'http://cars.local' }, { publicUrl: 'http://cars.local' }],
    [{ SOURCES_FILE: 'sources.json' }, { demo: { on: false } }],
    [{ SOURCES_FILE: 'sources.json', DEMO_MARKETPLACE: 'on' }, { demo: { on: true } }],
    [{ DEMO_MARKETPLACE: 'off' }, { demo: { on: false } }],
    [{ DEMO_PER_SECOND: '0.5', DEMO_SEED: '7' }, { demo: { perSecond: 0.5, seed: 7 } }],
    [
      { CORS_ORIGINS: 'https://a.example,http://b.example:81' },
      { corsOrigins: ['https://a.example', 'http://b.example:81'] },
    ],
    [{ CONFIRM_EMAIL: 'on' }, { confirmEmail: true }],
    [{ STRIPE_API_BASE: 'http://127.0.0.1:1' }, { stripe: null }],
    [
      { STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: 'whsec', STRIPE_API_BASE: 'http://127.0.0.1:1' },
      { stripe: { secretKey: 'sk', webhookSecret: 'whsec', apiBase: 'http://127.0.0.1:1' } },
    ],
    [{ RATE_LIMITS: 'off' }, { rateLimits: { on: false } }],
    [
      { ROLE: 'api', ...apart },
      { role: 'api', databaseUrl: apart.DATABASE_URL, sessionSecret: apart.SESSION_SECRET },
    ],
    [{ DATABASE_URL: apart.DATABASE_URL }, { role: 'all', sessionSecret: undefined }],
    [{ SESSION_SECRET_FORMER: `a, ${'s'.repeat(32)}` }, { formerSessionSecrets: [`a, ${'s'.repeat(32)}`] }],
    [
      { SESSION_SECRET_FORMER: `["${'s'.repeat(32)}", "${'t'.repeat(32)}"]` },
      { formerSessionSecrets: ['s'.repeat(32), 't'.repeat(32)] },
    ],
    [{ MONGO_URL: 'mongodb://here/db' }, { mongoUrl: 'mongodb://here/db' }],
    [{ SMS_COUNTRIES: 'us ca, gb,US' }, { texts: { countries: ['US', 'CA', 'GB'] } }],
    [{ DATABASE_CONNECTIONS: '12' }, { databaseConnections: 12 }],
    [{ ...apart, DATABASE_LAYOUT: 'citus' }, { databaseLayout: 'citus' }],
    [{ ...production, ...apart, DATABASE_LAYOUT: 'citus' }, { databaseLayout: 'citus' }],
    [{ DATABASE_LAYOUT: 'plain' }, { databaseLayout: 'plain' }],
    [{ ...apart, DATABASE_DIRECT_URL: 'postgres://past/db' }, { databaseDirectUrl: 'postgres://past/db' }],
    [{ TRUSTED_PROXIES: '2' }, { trustedProxies: 2 }],
    [{ TRUSTED_PROXIES: '1', TRUSTED_REQUEST_IDS: 'on' }, { trustedRequestIds: true }],
    [{ ...production, PUBLIC_URL: 'http://localhost:4000' }, { publicUrl: 'http://localhost:4000' }],
    [{ ...production, PUBLIC_URL: 'http://127.0.0.1' }, { publicUrl: 'http://127.0.0.1' }],
    [{ ...production, PUBLIC_URL: 'http://[::1]:4000/' }, { publicUrl: 'http://[::1]:4000' }],
    [{ ...production, TRUSTED_PROXIES: 'none' }, { trustedProxies: 0 }],
    [{ ...production, TRUSTED_PROXIES: '0' }, { trustedProxies: 0 }],
    [{ PUBLIC_URL: 'HTTPS://Cars.Example/', TRUSTED_PROXIES: 'none' }, { publicUrl: 'https://cars.example' }],
    [{ HOST: '::1' }, { host: '::1', developmentPages: true, demo: { on: true } }],
    [{ HOST: 'localhost', PAYMENT_SANDBOX_URL: 'http://127.0.0.1:1' }, { paymentSandboxUrl: 'http://127.0.0.1:1' }],
    [
      { ...production, HOST: '127.0.0.1' },
      { developmentPages: false, demo: { on: false } },
    ],
    [
      { HOST: '0.0.0.0', ALLOW_PUBLIC_HOST: 'on', PAYMENT_SANDBOX_URL: 'http://127.0.0.1:1' },
      { host: '0.0.0.0', developmentPages: false, demo: { on: false }, paymentSandboxUrl: undefined },
    ],
  ])('read %j', (environment, expected) => {
    expect(readSettings(environment)).toMatchObject(expected);
  });

  it.each([
    [{ PORT: 'http' }, 'PORT'],
    [{ PORT: '65536' }, 'PORT'],
    [{ CORS_ORIGINS: '*' }, 'CORS_ORIGINS'],
    [{ CORS_ORIGINS: 'https://a.example/' }, 'CORS_ORIGINS'],
    [{ PUBLIC_URL: 'lotwatch.example' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'ftp://lotwatch.example' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'https://lotwatch.example' }, 'TRUSTED_PROXIES'],
    [{ ...production, TRUSTED_PROXIES: '' }, 'TRUSTED_PROXIES'],
    ...['http://lotwatch.example', 'HTTP://10.0.0.7:4000', 'http://localhost.example', 'http://[::2]/'].map(
      (PUBLIC_URL): [Record<string, string>, string] => [{ ...production, PUBLIC_URL }, 'PUBLIC_URL'],
    ),
    [{ ...production, TRUSTED_PROXIES: 'all' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_PROXIES: '11' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_PROXIES: '-1' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_REQUEST_IDS: 'on' }, 'TRUSTED_REQUEST_IDS'],
    [{ TRUSTED_PROXIES: 'none', TRUSTED_REQUEST_IDS: 'on' }, 'TRUSTED_REQUEST_IDS'],
    [{ SOCKETS_PER_NETWORK: '0' }, 'SOCKETS_PER_NETWORK'],
    [{ DATABASE_URL: 'mysql://here' }, 'DATABASE_URL'],
    [{ DATABASE_LAYOUT: 'citus' }, 'DATABASE_URL'],
    [{ ...apart, DATABASE_LAYOUT: 'sharded' }, 'DATABASE_LAYOUT'],
    [{ ...apart, DATABASE_LAYOUT: 'citus', DATABASE_OWNER_URL: 'postgres://owner@here/db' }, 'DATABASE_OWNER_URL'],
    [{ DATABASE_OWNER_URL: 'postgres://owner@here/db' }, 'DATABASE_URL'],
    [{ DATABASE_DIRECT_URL: 'postgres://here/db' }, 'DATABASE_URL'],
    [{ ...apart, DATABASE_DIRECT_URL: 'here' }, 'DATABASE_DIRECT_URL'],
    [{ DATABASE_CONNECTIONS: '11' }, 'DATABASE_CONNECTIONS'],
    [{ DATABASE_CONNECTIONS: '12.5' }, 'DATABASE_CONNECTIONS'],
    [{ MONGO_URL: 'http://here' }, 'MONGO_URL'],
    [{ ROLE: 'web' }, 'ROLE'],
    ...['api', 'worker'].flatMap((ROLE): [Record<string, string>, string][] => [
      [{ ...apart, ROLE, DATABASE_URL: '' }, 'DATABASE_URL'],
      [{ ...apart, ROLE, SESSION_SECRET: '' }, 'SESSION_SECRET'],
      [{ ...production, ...apart, ROLE, SESSION_SECRET: '' }, 'SESSION_SECRET'],
    ]),
    [{ SESSION_SECRET: 'short' }, 'SESSION_SECRET'],
    [{ SESSION_SECRET_FORMER: 'short' }, 'SESSION_SECRET_FORMER'],
    [{ SESSION_SECRET_FORMER: `["${'s'.repeat(32)}", "short"]` }, 'SESSION_SECRET_FORMER'],
    [{ SESSION_SECRET_FORMER: `["${'s'.repeat(32)}", 7]` }, 'SESSION_SECRET_FORMER'],
    [{ SESSION_SECRET_FORMER: '["' }, 'SESSION_SECRET_FORMER'],
    [{ ADMIN_PASSWORD: '12345' }, 'ADMIN_PASSWORD'],
    [{ DEMO_MARKETPLACE: 'yes' }, 'DEMO_MARKETPLACE'],
    [{ ...production, DEMO_MARKETPLACE: 'on' }, 'DEMO_MARKETPLACE'],
    [{ HOST: '0.0.0.0', ALLOW_PUBLIC_HOST: 'on', DEMO_MARKETPLACE: 'on' }, 'DEMO_MARKETPLACE'],
    ...['0.0.0.0', '::', '192.168.0.7', 'lotwatch.example', '::ffff:10.0.0.1'].map(
      (HOST): [Record<string, string>, string] => [{ HOST }, 'HOST'],
    ),
    [{ HOST: '0.0.0.0', ALLOW_PUBLIC_HOST: 'off' }, 'HOST'],
    [{ ROLE: 'worker', ...apart, HOST: '0.0.0.0' }, 'HOST'],
    [{ ALLOW_PUBLIC_HOST: 'yes' }, 'ALLOW_PUBLIC_HOST'],
    [{ DEMO_PER_SECOND: '0' }, 'DEMO_PER_SECOND'],
    [{ DEMO_SEED: 'x' }, 'DEMO_SEED'],
    [{ ...production, INGEST_TOKEN: 'abc' }, 'INGEST_TOKEN'],
    [{ CONFIRM_EMAIL: 'true' }, 'CONFIRM_EMAIL'],
    [{ STRIPE_SECRET_KEY: 'sk' }, 'STRIPE_WEBHOOK_SECRET'],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec' }, 'STRIPE_SECRET_KEY'],
    [{ STRIPE_API_BASE: 'stripe.example' }, 'STRIPE_API_BASE'],
    [{ ...production, RATE_LIMITS: 'off' }, 'RATE_LIMITS'],
    [{ ...production, PUBLIC_URL: '' }, 'PUBLIC_URL'],
    [{ ...production, SESSION_SECRET: '' }, 'SESSION_SECRET'],
    [{ ...production, SENDGRID_API_KEY: '' }, 'SENDGRID_API_KEY'],
    [{ SMS_COUNTRIES: 'US,Canada' }, 'SMS_COUNTRIES'],
    [{ SMS_COUNTRIES: ',' }, 'SMS_COUNTRIES'],
    [{ SMS_DAILY_LIMIT: '0' }, 'SMS_DAILY_LIMIT'],
    [{ SENDGRID_WEBHOOK_KEY: 'SG.key' }, 'SENDGRID_WEBHOOK_KEY'],
    [{ ...production, MAIL_FROM: '' }, 'MAIL_FROM'],
    [{ ...production, SUPPORT_EMAIL: '' }, 'SUPPORT_EMAIL'],
  ])('refuse %j for its %s', (environment, name) => {
    const faults = faultsOf(environment);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name}: `));
  });

  it('report all faults together, of whatever kind', () => {
    const faults = faultsOf({ NODE_ENV: 'production', PORT: 'x', ROLE: 'web', RATE_LIMITS: 'off' });
    const names = [
      'PORT',
      'ROLE',
      'PUBLIC_URL',
      'SESSION_SECRET',
      'SENDGRID_API_KEY',
      'MAIL_FROM',
      'SUPPORT_EMAIL',
      'RATE_LIMITS',
    ];
    expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual(names.sort());
  });

  it.each(['api', 'worker'])('report everything that %s lacks, together', (ROLE) => {
    expect(faultsOf({ ROLE, PORT: 'x' })).toEqual([
      'PORT: must be a number',
      `DATABASE_URL: required with ROLE=${ROLE}`,
      `SESSION_SECRET: required with ROLE=${ROLE}, the same for all processes`,
    ]);
  });
});

it('needs all settings of Twilio together, except the token, which alone can check requests of Twilio', () => {
  const twilio = {
    TWILIO_ACCOUNT_SID: `AC${'0a'.repeat(16)}`,
    TWILIO_AUTH_TOKEN: 'a-token',
    TWILIO_FROM: '+15125550100',
  };
  const { accountSid, from } = readSettings(twilio).texts.twilio ?? {};
  expect([accountSid, from]).toEqual([twilio.TWILIO_ACCOUNT_SID, '+15125550100']);
  expect(readSettings({ TWILIO_AUTH_TOKEN: 'a-token' }).texts).toMatchObject({
    twilio: undefined,
    authToken: 'a-token',
    from: undefined,
  });
  expect(() => readSettings({ TWILIO_ACCOUNT_SID: twilio.TWILIO_ACCOUNT_SID })).toThrow(
    /TWILIO_AUTH_TOKEN: required[\s\S]*TWILIO_FROM: required/,
  );
  expect(() => readSettings({ ...twilio, TWILIO_FROM: '512-555-0100' })).toThrow('TWILIO_FROM: must be a number');
});
