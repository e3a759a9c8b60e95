import { z } from 'zod';
import type { Change } from '../state/store.ts';
import { text } from './fields.ts';

export interface CallContext {
  /** The public address of the pages, without a trailing slash. */
  publicUrl: string;
}

/** One call of Stripe's API that the sandbox implements. */
export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  /** With `:id` for an id. */
  path: string;
  fields: z.ZodType;
  run(change: Change, fields: unknown, id: string, at: CallContext): object;
}

/** Describes a call. @param shape the known parameters; any other is refused */
export function call<S extends z.ZodRawShape>(
  method: Call['method'],
  path: string,
  shape: S,
  run: (change: Change, fields: z.output<z.ZodObject<S, z.core.$strict>>, id: string, at: CallContext) => object,
): Call {
  const fields = z.strictObject({ ...shape, expand: z.array(text).max(20).optional() });
  return {
    method,
    path,
    fields,
    run: (change, given, id, at) => run(change, given as z.output<z.ZodObject<S, z.core.$strict>>, id, at),
  };
}
