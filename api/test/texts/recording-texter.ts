import type { OutgoingText, Texter } from '../../src/vendors/texts/text.ts';

/** Takes every text at once and keeps it. */
export function recordingTexter(texts: OutgoingText[]): Texter {
  return {
    timeoutMs: 1_000,
    send(text) {
      texts.push(text);
      return Promise.resolve({ sid: `SM${text.id.replaceAll('-', '')}` });
    },
  };
}
