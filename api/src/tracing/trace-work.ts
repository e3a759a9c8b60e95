import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { currentRequestId } from '../base/request-id.ts';
import { type Work, workBegins, workEnds } from '../base/traced.ts';
import { traceIdOf } from './request-trace-ids.ts';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  producer: SpanKind.PRODUCER,
} as const;

/** The span of a caller that sent `traceparent`, whose form was checked. */
function contextOfCaller(traceparent: string): Context {
  const [, traceId = '', spanId = '', flags = '0'] = traceparent.split('-');
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Makes a span of each piece of work. @returns a function that stops it */
export function traceWork(tracer: Tracer): () => void {
  const current = new AsyncLocalStorage<Span | undefined>();
  const spans = new WeakMap<Work, Span>();

  function begin(message: unknown): Span | undefined {
    const work = message as Work;
    const around = current.getStore();
    if (work.isPart && !around) return undefined;
    const requestId = currentRequestId();
    // A message is delivered in the run of a job, and belongs to the request that asked for it.
    const isOfOther = around && requestId !== null && around.spanContext().traceId !== traceIdOf(requestId);
    const parent =
      around && !isOfOther
        ? trace.setSpan(ROOT_CONTEXT, around)
        : work.caller
          ? contextOfCaller(work.caller)
          : ROOT_CONTEXT;
    const isFirst = !around || isOfOther;
    const span = tracer.startSpan(
      work.name,
      {
        kind: work.kind ? kinds[work.kind] : SpanKind.INTERNAL,
        attributes: isFirst && requestId !== null ? { 'lotwatch.request_id': requestId } : {},
        ...(isOfOther && { links: [{ context: around.spanContext() }] }),
      },
      parent,
    );
    spans.set(work, span);
    return span;
  }

  function end(message: unknown): void {
    const work = message as Work;
    const span = spans.get(work);
    if (!span) return;
    // What sends the spans must not become a part of this work.
    current.run(undefined, () => {
      span.setAttributes(work.attributes);
      if (work.failure !== undefined) {
        span.setAttribute('error.type', work.failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    });
  }

  workBegins.bindStore(current, begin);
  subscribe(workEnds.name, end);
  return () => {
    workBegins.unbindStore(current);
    unsubscribe(workEnds.name, end);
  };
}
