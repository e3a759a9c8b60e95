import { createPublicKey } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Phones from 'libphonenumber-js/max';
import { z } from 'zod';
import { isOrigin } from './addresses.ts';
import { samplers } from './trace-settings.ts';

/** The default of SMS_COUNTRIES, for which the numbering plans of the world need not be loaded. */
const named: ReadonlySet<string> = new Set(['US', 'CA']);
const require = createRequire(import.meta.url);

const isCountry = (code: string): boolean =>
  (require('libphonenumber-js/max') as typeof Phones).isSupportedCountry(code);

const flag = z.enum(['on', 'off']).transform((value) => value === 'on');
const count = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const databaseAddress = (pattern: RegExp, start: string) =>
  z.string().regex(pattern, `must start with ${start}`).optional();
/** A listing that nobody shows is purged after 90 days, and one that comes back under another id is known for 30 days. */
const keptDays = z.coerce.number().int().min(120).max(36_500).default(400);
const webAddress = z.url({ protocol: /^https?$/ }).optional();
const proxies = z.coerce.number().int().min(0).max(10).default(0);

/** Whether a text is a public key of an elliptic curve as SendGrid shows it: the base64 of its DER. */
function isPublicKey(text: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}

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

/** Every environment variable, with its default. */
export const settingsSchema = z.object({
  NODE_ENV: z.string().optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  HOST: z.string().optional(),
  HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  HEALTH_HOST: z.string().default('127.0.0.1'),
  DRAIN_SECONDS: z.coerce.number().min(0).max(15).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress,
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/protobuf', 'must be http/protobuf').optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.literal('http/protobuf', 'must be http/protobuf').optional(),
  OTEL_SDK_DISABLED: z
    .string()
    .default('false')
    .transform((value) => value.toLowerCase() === 'true'),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  ALLOW_PUBLIC_HOST: flag.default(false),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().default('./.data'),
  BACKUP_DIR: z.string().optional(),
  DATABASE_URL: databaseAddress(/^postgres(ql)?:\/\//, 'postgres://'),
  DATABASE_DIRECT_URL: databaseAddress(/^postgres(ql)?:\/\//, 'postgres://'),
  DATABASE_OWNER_URL: databaseAddress(/^postgres(ql)?:\/\//, 'postgres://'),
  DATABASE_LAYOUT: z.enum(['plain', 'citus']).optional(),
  DATABASE_SYNCHRONOUS: flag.default(false),
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
  SENDGRID_WEBHOOK_KEY: z.string().refine(isPublicKey, 'must be the public key that SendGrid shows').optional(),
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
  SMS_COUNTRIES: z
    .string()
    .default('US,CA')
    .transform((list) => [
      ...new Set(
        list
          .toUpperCase()
          .split(/[\s,]+/)
          .filter(Boolean),
      ),
    ])
    .refine(
      (codes) => codes.length > 0 && codes.every((code) => named.has(code) || isCountry(code)),
      'must be country codes like US,CA',
    ),
  SMS_DAILY_LIMIT: z.coerce.number().int().min(5).max(100_000_000).default(5_000),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: z.url({ protocol: /^https?$/ }).optional(),
  KEEP_MATCHES_DAYS: keptDays,
  KEEP_MESSAGES_DAYS: keptDays,
  CONFIRM_EMAIL: flag.optional(),
  OFFLINE_PAGES: flag.default(true),
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
  SOURCE_PRIVATE_NETWORK: flag.optional(),
  SOCKETS_PER_NETWORK: count(2000),
  TRUSTED_PROXIES: z.preprocess((value) => (value === 'none' ? 0 : value), proxies),
  TRUSTED_REQUEST_IDS: flag.default(false),
});
