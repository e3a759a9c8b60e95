import { z } from 'zod';
import { commonSettings, header, headerValue, httpUrl } from '../kinds/common-settings.ts';
import { parseJsonPath } from './json-path.ts';
import { fieldNames } from './map-item.ts';

const path = z
  .string()
  .max(200)
  .refine((text) => parseJsonPath(text) !== null, 'is no path, such as build.make, photos[*].url or ["@id"]');
const parameter = z.string().regex(/^[\w.[\]-]{1,60}$/, 'is no name of a parameter');
const size = z.number().int().min(1).max(1000).default(100);
const field = z.enum(fieldNames);

const paging = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('offset'),
    offset: parameter.default('offset'),
    limit: parameter.optional(),
    size,
    start: z.number().int().min(0).max(1).default(0),
  }),
  z.strictObject({
    by: z.literal('page'),
    page: parameter.default('page'),
    limit: parameter.optional(),
    size,
    start: z.number().int().min(0).max(1).default(1),
  }),
  z.strictObject({
    by: z.literal('cursor'),
    next: path,
    parameter: parameter.optional(),
    limit: parameter.optional(),
    size,
  }),
]);

/** The settings of a source whose mapping they hold. */
export const jsonFeedSettings = z
  .strictObject({
    ...commonSettings,
    kind: z.literal('json-feed'),
    url: httpUrl,
    header: header.optional(),
    query: z.strictObject({ name: parameter, value: headerValue.min(1).max(2000) }).optional(),
    items: path,
    total: path.optional(),
    fields: z.partialRecord(field, z.union([path, z.array(path).min(1).max(5)])),
    constants: z.partialRecord(field, z.union([z.string().max(500), z.number(), z.boolean()])).optional(),
    paging: paging.optional(),
    order: z.enum(['any', 'newest-first', 'whole']).default('any'),
    maxPages: z.number().int().min(1).max(1000).default(100),
    pauseMs: z.number().int().min(0).max(60_000).default(250),
  })
  .refine(({ fields }) => fields.id !== undefined || fields.vin !== undefined, {
    path: ['fields'],
    error: 'needs id or vin, by which a car is known again',
  })
  .refine(({ fields, constants }) => Boolean(fields.title || ((fields.make || constants?.make) && fields.model)), {
    path: ['fields'],
    error: 'needs title, or make and model',
  });

export type JsonFeedSettings = z.infer<typeof jsonFeedSettings>;
