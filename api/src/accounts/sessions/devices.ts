import type { EntityManager } from '@mikro-orm/postgresql';
import Bowser from 'bowser';
import { sqlOf } from '../../entities/sql-of.ts';
import { enqueueMail } from '../../notify/enqueue-mail.ts';

/** The browser and system of a device as people know them; null when they are unknown. */
export interface DeviceInfo {
  browser: string | null;
  system: string | null;
}

/** Real headers have some 120 characters; longer ones are cut before any pattern is applied. */
const MAX_CHARACTERS = 300;

const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

/** Reads a User-Agent header. Only names of the parser's list are returned, since they are shown in mails and on pages. */
export function readDeviceInfo(userAgent: string | undefined): DeviceInfo {
  if (!userAgent) return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent.slice(0, MAX_CHARACTERS));
  return {
    browser: browser.name !== undefined && browsers.has(browser.name) ? browser.name : null,
    system: os.name !== undefined && systems.has(os.name) ? os.name : null,
  };
}

interface SignedIn {
  userId: number;
  device: DeviceInfo;
  at: Date;
}

/** Queues a mail about a login on a new device, unless the address is unconfirmed and needs confirmation. */
export async function queueNewDeviceMail(
  em: EntityManager,
  { confirmEmail }: { confirmEmail: boolean },
  { userId, device, at }: SignedIn,
): Promise<void> {
  const { rows } = await sqlOf(em).query<{ email: string }>(
    'select email from users where id = $1 and email is not null and (email_confirmed_at is not null or not $2)',
    [userId, confirmEmail],
  );
  const [user] = rows;
  if (!user) return;
  const data = { at: at.toISOString(), browser: device.browser, system: device.system };
  await enqueueMail(sqlOf(em), { kind: 'new_device', userId, to: user.email, data });
}
