import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLocalServer } from '../../lab/local-server.ts';

/** A span as it was received. Ids are hexadecimal. */
export interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number | boolean>;
  links: { traceId: string; spanId: string }[];
  /** Whether its status is an error. */
  isFailed: boolean;
  /** The text of its status, and how many events it has. */
  statusText: string;
  events: number;
}

export interface OtlpReceiver {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: ReceivedSpan[];
  /** All that was received, as text. */
  text(): string;
  /** Answers in place of the usual 200. */
  answer: ((request: IncomingMessage, response: ServerResponse) => unknown) | null;
  requests: number;
  close(): Promise<void>;
}

type Field = { number: number; value: bigint | Buffer };

/** The fields of a message of Protocol Buffers. Source: protobuf.dev, Encoding. */
function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    const type = tag & 7;
    if (type === 0) yield { number, value: varint() };
    else if (type === 1) yield { number, value: bytes(8).readBigUInt64LE() };
    else if (type === 2) yield { number, value: bytes(Number(varint())) };
    else if (type === 5) yield { number, value: BigInt(bytes(4).readUInt32LE()) };
    else throw new Error(`unknown wire type ${type}`);
  }
}

const all = (message: Buffer, number: number): Buffer[] =>
  [...fieldsOf(message)].filter((field) => field.number === number).map(({ value }) => value as Buffer);
const first = (message: Buffer, number: number): Field['value'] | undefined =>
  [...fieldsOf(message)].find((field) => field.number === number)?.value;
const textOf = (message: Buffer, number: number): string => String(first(message, number) ?? '');
const hexOf = (message: Buffer, number: number): string =>
  ((first(message, number) ?? Buffer.of()) as Buffer).toString('hex');

function readValue(any: Buffer): string | number | boolean {
  const [field] = fieldsOf(any);
  if (!field || field.value instanceof Buffer) return String(field?.value ?? '');
  return field.number === 2 ? field.value === 1n : Number(field.value);
}

const attributesOf = (message: Buffer, number: number) =>
  Object.fromEntries(all(message, number).map((pair) => [textOf(pair, 1), readValue(first(pair, 2) as Buffer)]));

/** Reads what opentelemetry-proto calls ExportTraceServiceRequest. */
function readSpans(body: Buffer): ReceivedSpan[] {
  return all(body, 1).flatMap((ofResource) => {
    const [resource = Buffer.of()] = all(ofResource, 1);
    const service = String(attributesOf(resource, 1)['service.name']);
    const spans = all(ofResource, 2).flatMap((ofScope) => all(ofScope, 2));
    return spans.map((span): ReceivedSpan => {
      const [status = Buffer.of()] = all(span, 15);
      return {
        service,
        traceId: hexOf(span, 1),
        spanId: hexOf(span, 2),
        parentId: hexOf(span, 4),
        name: textOf(span, 5),
        kind: Number(first(span, 6)),
        attributes: attributesOf(span, 9),
        links: all(span, 13).map((link) => ({ traceId: hexOf(link, 1), spanId: hexOf(link, 2) })),
        isFailed: Number(first(status, 3) ?? 0) === 2,
        statusText: textOf(status, 2),
        events: all(span, 11).length,
      };
    });
  });
}

/** Starts a receiver of OpenTelemetry's protocol over HTTP, which reads its binary form. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: Buffer[] = [];
  const { url, close } = await startLocalServer(async (request, response) => {
    receiver.requests += 1;
    if (receiver.answer) return receiver.answer(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    bodies.push(body);
    if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/x-protobuf')
      return response.writeHead(415).end();
    receiver.spans.push(...readSpans(body));
    return response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  const text = () => bodies.map((body) => body.toString('latin1')).join('\n');
  const receiver: OtlpReceiver = { url, spans: [], text, answer: null, requests: 0, close };
  return receiver;
}
