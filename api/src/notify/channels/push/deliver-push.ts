import { mailRetryDelayMs } from '../../../domain/throttle.ts';
import type { Pusher, PushOutcome } from '../../../vendors/push/push.ts';
import type { Attempt } from '../../adapter.ts';
import type { LeftDevice, PushReceipt } from './complete-pushes.ts';
import type { RenderedDevice, RenderedPush } from './render-pushes.ts';

/**
 * How many calls of a process go at the same time to devices whose last call failed, so that push services that never answer
 * leave the workers to others.
 */
const FAILING_CALLS = 16;
/** After how many milliseconds a device is looked at again that found no room among those calls. */
const NO_ROOM_MS = 60_000;
/**
 * How many messages of a process wait for one push service at the same time. Fewer than there are workers, so that one that
 * has just stopped answering leaves some to others.
 */
const MESSAGES_A_SERVICE = 48;
/** After how many milliseconds a device is looked at again whose push service had that many: a call takes no longer. */
const NO_SERVICE_ROOM_MS = 10_000;

interface DeliverParts {
  pusher: Pusher;
  signal?: AbortSignal | undefined;
  /** 0 to 1; for the jitter of retries. */
  random(): number;
  /** Removes a device whose browser has ended the subscription. */
  removeDevice(device: RenderedDevice): Promise<void>;
}

/** What became of one device: an answer, or that it has not got the message yet. */
type Answer = Exclude<PushOutcome, { result: 'retry' }> | ({ result: 'left' } & Omit<LeftDevice, 'id'>);

const STOPPED = 'It was stopped before the push service answered.';

function attemptOf(devices: readonly RenderedDevice[], answers: readonly Answer[]): Attempt<PushReceipt> {
  const receipt = { accepted: [], gone: [], refused: [], left: [] } as {
    [K in keyof PushReceipt]: PushReceipt[K][number][];
  };
  devices.forEach(({ id }, at) => {
    const answer = answers[at];
    if (answer?.result === 'left') receipt.left.push({ ...answer, id });
    else if (answer?.result === 'refused') receipt.refused.push({ ...answer, id });
    else if (answer) receipt[answer.result].push(id);
  });
  const [left] = receipt.left;
  if (left) {
    const soonestMs = Math.min(...receipt.left.map(({ delayMs }) => delayMs));
    return { result: 'retry', error: left.error, retryAfterMs: soonestMs, receipt };
  }
  if (receipt.accepted.length > 0) return { result: 'accepted', receipt };
  return { result: 'refused', error: receipt.refused[0]?.error ?? 'The device has ended its subscription.', receipt };
}

/**
 * Makes the function that sends a message to all of its devices at once. A device whose push service has not answered is
 * called again after a delay of its own, which grows with each failure, whatever messages come for it meanwhile; so it
 * delays neither the user's other devices nor other users.
 */
export function makeDelivery({ pusher, signal, random, removeDevice }: DeliverParts) {
  let failingCalls = 0;
  /** How many messages wait for each push service, by its host. */
  const waitingFor = new Map<string, number>();

  async function call({ push }: RenderedPush, device: RenderedDevice): Promise<Answer> {
    const delayMs = (retryAfterMs: number | null) => mailRetryDelayMs(device.failures + 1, retryAfterMs, random());
    const failures = device.failures + 1;
    try {
      const outcome = await pusher.send(push, device, signal);
      // At once, as other messages would go to it while this one waits for its other devices.
      if (outcome.result === 'gone') await removeDevice(device).catch(() => {});
      if (outcome.result !== 'retry') return outcome;
      const { error, retryAfterMs } = outcome;
      return { result: 'left', error, delayMs: delayMs(retryAfterMs), call: 'failed', failures };
    } catch (error) {
      if (signal?.aborted) {
        return { result: 'left', error: STOPPED, delayMs: 0, call: 'stopped', failures: device.failures };
      }
      const reason = error instanceof Error ? error.message : String(error);
      return { result: 'left', error: reason, delayMs: delayMs(null), call: 'failed', failures };
    }
  }

  async function sendTo(message: RenderedPush, device: RenderedDevice): Promise<Answer> {
    const { failures, waitsMs, lastError } = device;
    const error = lastError ?? 'Its push service did not answer.';
    if (waitsMs > 0) return { result: 'left', error, delayMs: waitsMs, call: null, failures };
    if (failures === 0) return call(message, device);
    if (failingCalls >= FAILING_CALLS) {
      return { result: 'left', error, delayMs: NO_ROOM_MS * (1 + random()), call: null, failures };
    }
    failingCalls += 1;
    try {
      return await call(message, device);
    } finally {
      failingCalls -= 1;
    }
  }

  /** Sends to the devices of one push service. */
  async function sendThrough(service: string, message: RenderedPush, devices: RenderedDevice[]): Promise<Answer[]> {
    const waiting = waitingFor.get(service) ?? 0;
    if (waiting >= MESSAGES_A_SERVICE) {
      return devices.map(({ failures, waitsMs }) => {
        const delayMs = Math.max(waitsMs, NO_SERVICE_ROOM_MS * (1 + random()));
        return {
          result: 'left',
          error: 'Its push service has not answered others yet.',
          delayMs,
          call: null,
          failures,
        };
      });
    }
    waitingFor.set(service, waiting + 1);
    try {
      return await Promise.all(devices.map((device) => sendTo(message, device)));
    } finally {
      const others = (waitingFor.get(service) ?? 1) - 1;
      if (others > 0) waitingFor.set(service, others);
      else waitingFor.delete(service);
    }
  }

  return async (message: RenderedPush): Promise<Attempt<PushReceipt>> => {
    const { push, devices } = message;
    if (devices.length === 0) {
      await pusher.sendToNobody?.(push);
      return { result: 'accepted' };
    }
    const services = Map.groupBy(devices, ({ endpoint }) => URL.parse(endpoint)?.host ?? '');
    const answers = await Promise.all([...services].map(([service, some]) => sendThrough(service, message, some)));
    return attemptOf([...services.values()].flat(), answers.flat());
  };
}
