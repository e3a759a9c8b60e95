import { expect, test } from 'vitest';
import { browserServices } from './browser-services.ts';

test.each([
  ['https://fcm.googleapis.com/fcm/send/c1KrmpTuRm8:APA91b', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk', true],
  ['https://web.push.apple.com/QGuQyavXutnMH-A1', true],
  ['https://wns2-par02p.notify.windows.com/w/?token=BQYAAAC', true],
  ['http://fcm.googleapis.com/fcm/send/x', false],
  ['https://fcm.googleapis.com.example.net/x', false],
  ['https://example.net/https://fcm.googleapis.com/x', false],
  ['https://example.net\\.push.apple.com/x', false],
  ['https://user@fcm.googleapis.com/x', false],
  ['https://fcm.googleapis.com:8443/x', false],
  ['https://a.b.push.apple.com/x', false],
  ['https://push.example.net/x', false],
])('%s: a browser names it: %s', (endpoint, is) => {
  expect(new RegExp(browserServices).test(endpoint)).toBe(is);
});
