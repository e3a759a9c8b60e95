import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../base/log.ts';
import type { TraceSettings } from '../base/settings/trace-settings.ts';
import { requestTraceIds } from './request-trace-ids.ts';
import { traceHttpCalls } from './trace-http-calls.ts';
import { traceWork } from './trace-work.ts';

const WARN_EVERY_MS = 5 * 60_000;
/** How long what is left may take to be sent at the end; the launcher gives a process less than 2 s. */
const FLUSH_MS = 1_000;

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const named: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const [, ofParent, name = ''] = /^(parentbased_)?(.*)$/.exec(sampler) ?? [];
  const root = named[name]?.() ?? new AlwaysOnSampler();
  return ofParent ? new ParentBasedSampler({ root }) : root;
}

/** Warns where spans can't be sent; they are dropped. */
function warnOfFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && performance.now() - warnedAt > WARN_EVERY_MS) {
          warnedAt = performance.now();
          log.warn('traces could not be sent and are dropped', { reason: result.error.message.slice(0, 200) });
        }
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/**
 * Sends what this process does as traces, by OpenTelemetry's protocol over HTTP.
 * @param name the service, unless OTEL_SERVICE_NAME names it
 */
export function startTracing(settings: TraceSettings, name: string, log: Log): { close(): Promise<void> } {
  const exporter = warnOfFailures(new OTLPTraceExporter({ url: settings.url }), log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name }).merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(settings),
    idGenerator: requestTraceIds,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('lotwatch');
  const stop = [traceWork(tracer), traceHttpCalls()];
  return {
    async close() {
      for (const end of stop) end();
      await Promise.race([provider.shutdown().catch(() => {}), sleep(FLUSH_MS)]);
    },
  };
}
