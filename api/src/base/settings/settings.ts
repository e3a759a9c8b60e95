import type { z } from 'zod';
import { isLoopbackHost } from '../addresses/loopback.ts';
import { trimEnd } from '../trim-end.ts';
import { isHttps, isSafeInProduction } from './addresses.ts';
import { settingsSchema } from './settings-schema.ts';
import { type TraceSettings, traceSettings } from './trace-settings.ts';

export interface Settings {
  production: boolean;
  /** Whether there are the outbox page, the payment sandbox, the debug calls and the demo marketplace. */
  developmentPages: boolean;
  port: number;
  host: string;
  /** Where this process answers on its health, beside the public port; undefined for nowhere. */
  health: { host: string; port: number } | undefined;
  /** Where traces are sent; undefined for nowhere. */
  traces: TraceSettings | undefined;
  /** For how long an api that is to stop still serves, so that its proxies send requests elsewhere. */
  drainSeconds: number;
  /** Without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  /** Where the embedded PostgreSQL is backed up; undefined where it is not. */
  backupDir: string | undefined;
  databaseUrl: string | undefined;
  /** The address of the server past the pooler at `databaseUrl`; undefined where that leads to the server itself. */
  databaseDirectUrl: string | undefined;
  /** The address for the role that owns and migrates the tables; undefined when it is the role of `databaseUrl`. */
  databaseOwnerUrl: string | undefined;
  /** How the tables of a new database are to lie; undefined for plain, or for what the database has. */
  databaseLayout: 'plain' | 'citus' | undefined;
  /** Whether messages leave only once a standby has what was recorded of them. */
  databaseSynchronous: boolean;
  /** The maximum of database connections of this process. */
  databaseConnections: number;
  mongoUrl: string | undefined;
  role: 'all' | 'api' | 'worker';
  sessionSecret: string | undefined;
  /** Earlier secrets: what they signed and encrypted is still accepted. */
  formerSessionSecrets: readonly string[];
  adminPassword: string | undefined;
  sourcesFile: string | undefined;
  demo: {
    on: boolean;
    /** Whether it is switched off explicitly, rather than only not started here. */
    isEnded: boolean;
    perSecond: number;
    seed: number | undefined;
    url: string | undefined;
  };
  /** The address of the payment sandbox; always undefined without development pages. */
  paymentSandboxUrl: string | undefined;
  ingestToken: string | undefined;
  mail: {
    sendgridApiKey: string | undefined;
    sendgridApiBase: string | undefined;
    /** Verifies SendGrid's events: the base64 of its public key. */
    sendgridWebhookKey: string | undefined;
    from: string;
    support: string;
  };
  texts: {
    /** undefined unless all are set. The token alone suffices to check requests of Twilio. */
    twilio: { accountSid: string; authToken: string; from: string; apiBase: string | undefined } | undefined;
    authToken: string | undefined;
    from: string | undefined;
    /** Where numbers may be texted: ISO 3166 codes. */
    countries: readonly string[];
    /** Segments that may be sent on a day (UTC), for all accounts together. */
    segmentsPerDay: number;
  };
  /** null without keys; paid plans are not available then. */
  stripe: {
    secretKey: string;
    webhookSecret: string;
    /** The address of a server in place of Stripe's own. */
    apiBase: string | undefined;
  } | null;
  confirmEmail: boolean;
  /** For how many days rows are kept at least: matches, and what was sent or was to be. */
  keptDays: { matches: number; messages: number };
  rateLimits: {
    on: boolean;
    /** From one network, or on one known device. */
    loginsPerAccount: number;
    /** From all networks together. */
    loginsPerAccountEverywhere: number;
    loginsPerAddress: number;
    registrationsPerAddress: number;
    requestsPerUser: number;
    /** For all API keys of an account together. */
    keyRequestsPerHour: number;
    keyRequestsAtOnce: number;
  };
  /** The size of the photo cache on disk. */
  photoCacheMegabytes: number;
  /** Whether browsers get the service worker with offline pages, or one that removes it. */
  offlinePages: boolean;
  /** Origins whose pages may call with an API key, such as https://dealer.example. */
  corsOrigins: readonly string[];
  /** Whether webhooks may have addresses in the private network, for tests. */
  webhookPrivateNetwork: boolean;
  /** Whether sources that are made in the browser may be in the private network. */
  sourcePrivateNetwork: boolean;
  /** The number of the operator's proxies before the API; as many entries of X-Forwarded-For are trusted. */
  trustedProxies: number;
  /** Whether the proxy sets X-Request-Id and traceparent itself, so that they are not of a client. */
  trustedRequestIds: boolean;
  /** The maximum of WebSockets of one network at each process. */
  socketsPerNetwork: number;
}

export class SettingsError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`LotWatch can't start with these settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`;
  if (issue.code === 'invalid_type')
    return `must be ${issue.expected === 'int' ? 'a whole number' : `a ${issue.expected}`}`;
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'must be an address like http://localhost:4000';
  if (issue.code === 'too_small' && issue.origin !== 'string')
    return `must be ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`;
  if (issue.code === 'too_big' && issue.origin !== 'string') return `must be at most ${issue.maximum}`;
  return issue.message;
}

function twilioSettings(env: z.infer<typeof settingsSchema>): Settings['texts']['twilio'] {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = env;
  if (accountSid === undefined || authToken === undefined || from === undefined) return undefined;
  return { accountSid, authToken, from, apiBase: env.TWILIO_API_BASE };
}

/**
 * Reads every setting from the environment; an empty variable counts as unset.
 * @throws SettingsError with all faults together.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settingsSchema.safeParse(given);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${describeIssue(issue)}`);
  const production = given.NODE_ENV === 'production';
  const host = given.HOST ?? (production ? '0.0.0.0' : '127.0.0.1');
  const developmentPages = !production && isLoopbackHost(host);
  const needed = (name: string, why: string) => {
    if (given[name] === undefined) faults.push(`${name}: required ${why}`);
  };
  if (given.DATABASE_OWNER_URL !== undefined) needed('DATABASE_URL', 'with DATABASE_OWNER_URL');
  if (given.DATABASE_DIRECT_URL !== undefined) needed('DATABASE_URL', 'with DATABASE_DIRECT_URL');
  if (given.DATABASE_LAYOUT === 'citus') {
    needed('DATABASE_URL', 'with DATABASE_LAYOUT=citus: the address of the coordinator');
    for (const name of ['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL'])
      if (given[name] !== undefined) faults.push(`${name}: not with DATABASE_LAYOUT=citus in this version`);
  }
  if (given.BACKUP_DIR !== undefined && given.DATABASE_URL !== undefined)
    faults.push('BACKUP_DIR: only the embedded PostgreSQL is backed up; a server of your own has its own way');
  for (const name of ['PUBLIC_URL', 'SENDGRID_API_KEY', 'MAIL_FROM', 'SUPPORT_EMAIL'])
    if (production) needed(name, 'in production');
  if (production && given.PUBLIC_URL !== undefined && !isSafeInProduction(given.PUBLIC_URL))
    faults.push('PUBLIC_URL: must be https in production, except for an address of this machine');
  if (isHttps(given.PUBLIC_URL))
    needed('TRUSTED_PROXIES', 'with an https PUBLIC_URL: the number of proxies before LotWatch, or none');
  if (parsed.data?.TRUSTED_REQUEST_IDS && parsed.data.TRUSTED_PROXIES === 0)
    faults.push('TRUSTED_REQUEST_IDS: on needs TRUSTED_PROXIES, as clients would choose the ids');
  if (given.ROLE === 'api' || given.ROLE === 'worker') {
    needed('DATABASE_URL', `with ROLE=${given.ROLE}`);
    needed('SESSION_SECRET', `with ROLE=${given.ROLE}, the same for all processes`);
  } else if (production) needed('SESSION_SECRET', 'in production');
  const twilio = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'];
  if (given.TWILIO_ACCOUNT_SID !== undefined || (production && twilio.some((name) => given[name] !== undefined)))
    for (const name of twilio) needed(name, 'with the other settings of Twilio');
  if (production && (given.INGEST_TOKEN?.length ?? 8) < 8)
    faults.push('INGEST_TOKEN: must have at least 8 characters in production');
  if (given.STRIPE_SECRET_KEY !== undefined) needed('STRIPE_WEBHOOK_SECRET', 'with STRIPE_SECRET_KEY');
  if (given.STRIPE_WEBHOOK_SECRET !== undefined) needed('STRIPE_SECRET_KEY', 'with STRIPE_WEBHOOK_SECRET');
  if (!production && !developmentPages && given.ALLOW_PUBLIC_HOST !== 'on')
    faults.push(
      `HOST: outside production ${host} is refused, because other machines can reach it. Set NODE_ENV=production, or ALLOW_PUBLIC_HOST=on to start without the development pages`,
    );
  if (!developmentPages && given.DEMO_MARKETPLACE === 'on')
    faults.push('DEMO_MARKETPLACE: on is only possible outside production, with a HOST such as 127.0.0.1');
  if (production && given.RATE_LIMITS === 'off') faults.push('RATE_LIMITS: off is refused in production');
  if (production && given.WEBHOOK_PRIVATE_NETWORK === 'on')
    faults.push('WEBHOOK_PRIVATE_NETWORK: on is refused in production');
  if (!parsed.success || faults.length > 0) throw new SettingsError(faults);
  const env = parsed.data;

  return {
    production,
    developmentPages,
    port: env.PORT,
    host,
    health: env.HEALTH_PORT === undefined ? undefined : { host: env.HEALTH_HOST, port: env.HEALTH_PORT },
    traces: traceSettings(env),
    drainSeconds: env.DRAIN_SECONDS ?? (production && env.ROLE === 'api' ? 5 : 0),
    publicUrl: trimEnd(new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).href, '/'),
    dataDir: env.DATA_DIR,
    backupDir: env.BACKUP_DIR,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    databaseOwnerUrl: env.DATABASE_OWNER_URL,
    databaseLayout: env.DATABASE_LAYOUT,
    databaseSynchronous: env.DATABASE_SYNCHRONOUS,
    databaseConnections: env.DATABASE_CONNECTIONS,
    mongoUrl: env.MONGO_URL,
    role: env.ROLE,
    sessionSecret: env.SESSION_SECRET,
    formerSessionSecrets: env.SESSION_SECRET_FORMER ?? [],
    adminPassword: env.ADMIN_PASSWORD,
    sourcesFile: env.SOURCES_FILE,
    demo: {
      on: env.DEMO_MARKETPLACE ?? (env.SOURCES_FILE === undefined && developmentPages),
      isEnded: env.DEMO_MARKETPLACE === false,
      perSecond: env.DEMO_PER_SECOND,
      seed: env.DEMO_SEED,
      url: env.DEMO_URL,
    },
    paymentSandboxUrl: developmentPages ? env.PAYMENT_SANDBOX_URL : undefined,
    ingestToken: env.INGEST_TOKEN,
    mail: {
      sendgridApiKey: env.SENDGRID_API_KEY,
      sendgridApiBase: env.SENDGRID_API_BASE,
      sendgridWebhookKey: env.SENDGRID_WEBHOOK_KEY,
      from: env.MAIL_FROM ?? 'LotWatch <alerts@lotwatch.localhost>',
      support: env.SUPPORT_EMAIL ?? 'support@lotwatch.localhost',
    },
    texts: {
      twilio: twilioSettings(env),
      authToken: env.TWILIO_AUTH_TOKEN,
      from: env.TWILIO_FROM,
      countries: env.SMS_COUNTRIES,
      segmentsPerDay: env.SMS_DAILY_LIMIT,
    },
    stripe:
      env.STRIPE_SECRET_KEY !== undefined && env.STRIPE_WEBHOOK_SECRET !== undefined
        ? {
            secretKey: env.STRIPE_SECRET_KEY,
            webhookSecret: env.STRIPE_WEBHOOK_SECRET,
            apiBase: env.STRIPE_API_BASE,
          }
        : null,
    confirmEmail: env.CONFIRM_EMAIL ?? production,
    keptDays: { matches: env.KEEP_MATCHES_DAYS, messages: env.KEEP_MESSAGES_DAYS },
    rateLimits: {
      on: env.RATE_LIMITS,
      loginsPerAccount: env.RATE_LOGINS_PER_ACCOUNT,
      loginsPerAccountEverywhere: env.RATE_LOGINS_PER_ACCOUNT_EVERYWHERE,
      loginsPerAddress: env.RATE_LOGINS_PER_ADDRESS,
      registrationsPerAddress: env.RATE_REGISTRATIONS_PER_ADDRESS,
      requestsPerUser: env.RATE_REQUESTS_PER_USER,
      keyRequestsPerHour: env.RATE_KEY_REQUESTS_PER_HOUR,
      keyRequestsAtOnce: env.RATE_KEY_REQUESTS_AT_ONCE,
    },
    photoCacheMegabytes: env.PHOTO_CACHE_MB,
    offlinePages: env.OFFLINE_PAGES,
    corsOrigins: env.CORS_ORIGINS,
    webhookPrivateNetwork: env.WEBHOOK_PRIVATE_NETWORK,
    sourcePrivateNetwork: env.SOURCE_PRIVATE_NETWORK ?? developmentPages,
    trustedProxies: env.TRUSTED_PROXIES,
    trustedRequestIds: env.TRUSTED_REQUEST_IDS,
    socketsPerNetwork: env.SOCKETS_PER_NETWORK,
  };
}
