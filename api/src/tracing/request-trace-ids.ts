import { createHash } from 'node:crypto';
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';
import { currentRequestId } from '../base/request-id.ts';

const random = new RandomIdGenerator();
const hexadecimal = /^(?!0+$)[\da-f]{32}$/;

/**
 * The trace of a request: its id without dashes where that is one, as of a UUID, else a hash of it. So whoever has the id of a
 * request, as a mail has in its row, adds to the same trace.
 */
export function traceIdOf(requestId: string): string {
  const bare = requestId.replaceAll('-', '').toLowerCase();
  return hexadecimal.test(bare) ? bare : createHash('sha256').update(requestId).digest('hex').slice(0, 32);
}

/** Makes the trace ids of what has no parent. */
export const requestTraceIds: IdGenerator = {
  generateTraceId() {
    const requestId = currentRequestId();
    return requestId === null ? random.generateTraceId() : traceIdOf(requestId);
  },
  generateSpanId: () => random.generateSpanId(),
};
