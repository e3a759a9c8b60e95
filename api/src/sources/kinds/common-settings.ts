import { z } from 'zod';
import { sourceName } from '../../domain/forms/sources/source.ts';

/** An address that settings may name. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** A header's value, or a token that becomes a part of one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it must hold none
export const headerValue = z.string().regex(/^[^\u0000-\u001f\u007f]*$/, 'holds a control character');

/** A header that is sent with each request. */
export const header = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9-]+$/, 'is no header name'),
  value: headerValue,
});

/** The settings that sources of every kind have. */
export const commonSettings = {
  name: z.string().regex(sourceName, 'must be 1 to 40 of a-z, 0-9 and -'),
  everySeconds: z.number().int().min(5, 'must be at least 5').max(86_400).default(60),
  marketplaceHome: httpUrl.optional(),
  allowPrivateNetwork: z.boolean().default(false),
  ended: z.boolean().default(false),
};

const commonSchema = z.strictObject(commonSettings);
export type CommonSettings = z.infer<typeof commonSchema>;

/** The settings of a source that is one address or file. */
export const bodySettings = {
  ...commonSettings,
  url: httpUrl.optional(),
  file: z.string().min(1).optional(),
  header: header.optional(),
};

const bodySchema = z.strictObject(bodySettings);
export type BodySettings = z.infer<typeof bodySchema>;

/** A check of `bodySettings`. */
export const hasOneAddress = ({ url, file }: Pick<BodySettings, 'url' | 'file'>): boolean =>
  (url === undefined) !== (file === undefined);
export const ONE_ADDRESS = 'needs either url or file';
