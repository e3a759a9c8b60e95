import { trimEnd } from '../trim-end.ts';

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Where and what to send as traces. The packages of OpenTelemetry read the further variables themselves. */
export interface TraceSettings {
  url: string;
  sampler: (typeof samplers)[number];
  /** For the samplers by ratio: which share of the traces is sent. */
  ratio: number;
}

interface Environment {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  OTEL_SDK_DISABLED: boolean;
  OTEL_TRACES_SAMPLER: TraceSettings['sampler'];
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** By OpenTelemetry's specification: the endpoint of all signals gets a path, that of traces alone is used as it is. */
export function traceSettings(env: Environment): TraceSettings | undefined {
  const all = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (all && `${trimEnd(all, '/')}/v1/traces`);
  if (url === undefined || env.OTEL_SDK_DISABLED) return undefined;
  return { url, sampler: env.OTEL_TRACES_SAMPLER, ratio: env.OTEL_TRACES_SAMPLER_ARG };
}
