import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { CallLimits } from '../../accounts/signed-in.ts';
import type { Settings } from '../../base/settings/settings.ts';
import { accountFromNetworkKey, accountOnDeviceKey, networkKey, typedKey } from './limit-keys.ts';

const WINDOW_SECONDS = 900;

interface Counting {
  settings: Settings['rateLimits'];
  loginsOfAddress: RateLimiterPostgres;
  kept(keyPrefix: string, points: number, seconds: number): RateLimiterPostgres;
  /** @throws AppError RATE_LIMITED */
  count(limiter: RateLimiterPostgres, key: string): Promise<void>;
  hasRoom(limiter: RateLimiterPostgres, key: string): Promise<boolean>;
}

type LoginLimits = Pick<CallLimits, 'login' | 'startDevice' | 'resetLogins'>;

/**
 * Tries of logins are counted by account and network, so that nobody uses up the tries of others. All networks
 * together have a bound too, which slows guessing from many of them. A device that was signed in to the account before
 * has a count of its own, and is held to neither of the two: nobody else can lock it out. Whoever held such devices in
 * great number would still meet the bounds of all devices of one account, and of all in one network.
 */
export function makeLoginLimits({ settings, loginsOfAddress, kept, count, hasRoom }: Counting): LoginLimits {
  const { loginsPerAccount, loginsPerAccountEverywhere, loginsPerAddress } = settings;
  const ofAccountFromNetwork = kept('login-here', loginsPerAccount, WINDOW_SECONDS);
  const ofAccount = kept('login-account', loginsPerAccountEverywhere, WINDOW_SECONDS);
  const ofDevice = kept('login-device', loginsPerAccount, WINDOW_SECONDS);
  const ofDevices = kept('login-devices', loginsPerAccountEverywhere, WINDOW_SECONDS);
  const ofDevicesInNetwork = kept('login-devices-address', loginsPerAddress, WINDOW_SECONDS);

  async function passesAsDevice(username: string, address: string, device: string): Promise<boolean> {
    await count(ofDevice, accountOnDeviceKey(username, device));
    return (await hasRoom(ofDevicesInNetwork, networkKey(address))) && (await hasRoom(ofDevices, typedKey(username)));
  }

  return {
    async login(username, address, device) {
      if (device !== null && (await passesAsDevice(username, address, device))) return;
      await count(loginsOfAddress, networkKey(address));
      await count(ofAccountFromNetwork, accountFromNetworkKey(username, address));
      await count(ofAccount, typedKey(username));
    },
    async startDevice(username, address, device) {
      if (!settings.on) return;
      const before = await ofAccountFromNetwork.get(accountFromNetworkKey(username, address));
      if (before === null) return;
      const seconds = Math.max(1, Math.ceil(before.msBeforeNext / 1000));
      await ofDevice.set(accountOnDeviceKey(username, device), before.consumedPoints, seconds);
    },
    async resetLogins(username, address, device) {
      await ofAccount.delete(typedKey(username));
      await ofDevices.delete(typedKey(username));
      await ofAccountFromNetwork.delete(accountFromNetworkKey(username, address));
      if (device !== null) await ofDevice.delete(accountOnDeviceKey(username, device));
    },
  };
}
