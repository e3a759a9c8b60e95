import { z } from 'zod';
import { isLoopbackHost } from '../addresses/loopback.ts';
import { trimEnd } from '../trim-end.ts';
import { isHttps, isOrigin, isSafeInProduction } from './addresses.ts';

const flag = z.enum(['on', 'off']).transform((value) => value === 'on');
const count = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const databaseAddress = (pattern: RegExp, start: string) =>
  z.string().regex(pattern, `must start with ${start}`).optional();
const proxies = z.coerce.number().int().min(0).max(10).default(0);

/** Reads one secret, or a JSON list, since a secret may contain any separator. null for an invalid list. */
function readFormerSecrets(text: string): string[] | null {
  if (!text.startsWith('[')) return [text];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : null;
  } catch {
    return null;
  }
}

const schema = z.object({
  NODE_ENV: z.string().optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  HOST: z.string().optional(),
  ALLOW_PUBLIC_HOST: flag.default(false),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().default('./.data'),
  DATABASE_URL: databaseAddress(/^postgres(ql)?:\/\//, 'postgres://'),
  DATABASE_OWNER_URL: databaseAddress(/^postgres(ql)?:\/\//, 'postgres://'),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(12).max(1000).default(20),
  MONGO_URL: databaseAddress(/^mongodb(\+srv)?:\/\//, 'mongodb://'),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  SESSION_SECRET_FORMER: z
    .string()
    .transform(readFormerSecrets)
    .refine((secrets) => secrets !== null, 'must be one secret, or a JSON list of several')
    .refine((secrets) => secrets?.every((one) => one.length >= 32) ?? true, 'must have at least 32 characters')
    .optional(),
  ADMIN_PASSWORD: z.string().min(6, 'must have at least 6 characters').max(200).optional(),
  SOURCES_FILE: z.string().optional(),
  DEMO_MARKETPLACE: flag.optional(),
  DEMO_PER_SECOND: z.coerce.number().positive().max(1000).default(2),
  DEMO_SEED: z.coerce.number().int().optional(),
  /** Set by the launcher for its child processes: the address of the demo marketplace. */
  DEMO_URL: z.url().optional(),
  /** Set by the launcher for its child processes: the address of the payment sandbox, whose pages the API shows. */
  PAYMENT_SANDBOX_URL: z.url().optional(),
  INGEST_TOKEN: z.string().optional(),
  SENDGRID_API_KEY: z.string().optional(),
  SENDGRID_API_BASE: z.url().optional(),
  MAIL_FROM: z.string().optional(),
  SUPPORT_EMAIL: z.string().optional(),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, 'must be like AC and 32 hexadecimal digits')
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z
    .string()
    .regex(/^(\+[1-9]\d{6,14}|\d{5,6})$/, 'must be a number like +15125550100, or a short code')
    .optional(),
  TWILIO_API_BASE: z.url({ protocol: /^https?$/ }).optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: z.url({ protocol: /^https?$/ }).optional(),
  CONFIRM_EMAIL: flag.optional(),
  RATE_LIMITS: flag.default(true),
  RATE_LOGINS_PER_ACCOUNT: count(10),
  RATE_LOGINS_PER_ACCOUNT_EVERYWHERE: count(50),
  RATE_LOGINS_PER_ADDRESS: count(100),
  RATE_REGISTRATIONS_PER_ADDRESS: count(30),
  RATE_REQUESTS_PER_USER: count(600),
  RATE_KEY_REQUESTS_PER_HOUR: count(5000),
  RATE_KEY_REQUESTS_AT_ONCE: count(100),
  PHOTO_CACHE_MB: z.coerce.number().int().min(16).max(1_000_000).default(512),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .refine((origins) => origins.every(isOrigin), 'must be origins like https://dealer.example, with commas between'),
  WEBHOOK_PRIVATE_NETWORK: flag.default(false),
  SOCKETS_PER_NETWORK: count(2000),
  TRUSTED_PROXIES: z.preprocess((value) => (value === 'none' ? 0 : value), proxies),
});

export interface Settings {
  production: boolean;
  /** Whether there are the outbox page, the payment sandbox, the debug calls and the demo marketplace. */
  developmentPages: boolean;
  port: number;
  host: string;
  /** Without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** The address for the role that owns and migrates the tables; undefined when it is the role of `databaseUrl`. */
  databaseOwnerUrl: string | undefined;
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
    from: string;
    support: string;
  };
  texts: {
    /** undefined unless all are set. The token alone suffices to check requests of Twilio. */
    twilio: { accountSid: string; authToken: string; from: string; apiBase: string | undefined } | undefined;
    authToken: string | undefined;
    from: string | undefined;
  };
  /** null without keys; paid plans are not available then. */
  stripe: {
    secretKey: string;
    webhookSecret: string;
    /** The address of a server in place of Stripe's own. */
    apiBase: string | undefined;
  } | null;
  confirmEmail: boolean;
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
  /** Origins whose pages may call with an API key, such as https://dealer.example. */
  corsOrigins: readonly string[];
  /** Whether webhooks may have addresses in the private network, for tests. */
  webhookPrivateNetwork: boolean;
  /** The number of the operator's proxies before the API; as many entries of X-Forwarded-For are trusted. */
  trustedProxies: number;
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

function twilioSettings(env: z.infer<typeof schema>): Settings['texts']['twilio'] {
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
  const parsed = schema.safeParse(given);
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
  for (const name of ['PUBLIC_URL', 'SENDGRID_API_KEY', 'MAIL_FROM', 'SUPPORT_EMAIL'])
    if (production) needed(name, 'in production');
  if (production && given.PUBLIC_URL !== undefined && !isSafeInProduction(given.PUBLIC_URL))
    faults.push('PUBLIC_URL: must be https in production, except for an address of this machine');
  if (isHttps(given.PUBLIC_URL))
    needed('TRUSTED_PROXIES', 'with an https PUBLIC_URL: the number of proxies before LotWatch, or none');
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
    publicUrl: trimEnd(new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).href, '/'),
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    databaseOwnerUrl: env.DATABASE_OWNER_URL,
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
      from: env.MAIL_FROM ?? 'LotWatch <alerts@lotwatch.localhost>',
      support: env.SUPPORT_EMAIL ?? 'support@lotwatch.localhost',
    },
    texts: { twilio: twilioSettings(env), authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM },
    stripe:
      env.STRIPE_SECRET_KEY !== undefined && env.STRIPE_WEBHOOK_SECRET !== undefined
        ? {
            secretKey: env.STRIPE_SECRET_KEY,
            webhookSecret: env.STRIPE_WEBHOOK_SECRET,
            apiBase: env.STRIPE_API_BASE,
          }
        : null,
    confirmEmail: env.CONFIRM_EMAIL ?? production,
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
    corsOrigins: env.CORS_ORIGINS,
    webhookPrivateNetwork: env.WEBHOOK_PRIVATE_NETWORK,
    trustedProxies: env.TRUSTED_PROXIES,
    socketsPerNetwork: env.SOCKETS_PER_NETWORK,
  };
}
