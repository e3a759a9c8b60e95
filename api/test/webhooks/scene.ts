import { afterAll, beforeAll, beforeEach } from 'vitest';
import { makeTestApi, type TestApi } from '../make-app.ts';
import { storeCars } from '../matching/match-factory.ts';
import {
  type Dealer,
  type MadeWebhook,
  makeDealer,
  makeTestEngine,
  makeWebhook,
  matchAndMake,
  TRYING,
} from './dealer.ts';
import type { Receiver } from './receiver.ts';

/** A dealer with one webhook, which is created for each test of the file. */
interface WebhookScene {
  api: TestApi;
  dealer: Dealer;
  made: MadeWebhook;
  receiver: Receiver;
  engine: ReturnType<typeof makeTestEngine>;
  /** Stores so many cars, of which events are made; returns their numbers. */
  cars(count: number): Promise<number[]>;
  statuses(): Promise<string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was answered
  webhook(): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was answered
  act(mutation: string, id?: string): Promise<any>;
}

/** The ids of the listings that the receiver accepted, in the order of their events. */
export const receivedListings = ({ taken }: Receiver) =>
  taken.toSorted((a, b) => a.cursor - b.cursor).map(({ data }) => data.listing?.id);

const shown = `state pausedBecause failingSince waiting previousSecretUntil lastTry { taken statusCode error }
  deliveries { nodes { id messageId status cursor body attempts { statusCode ms error answer } } }`;

/** Call it once in a file; what it returns is filled before each test. */
export function setWebhookScene(): WebhookScene {
  const scene = {
    async cars(count) {
      const ids = await storeCars(
        scene.api.db.pool,
        Array.from({ length: count }, () => ({})),
      );
      await matchAndMake(scene.api);
      return ids.toSorted((a, b) => a - b);
    },
    async statuses() {
      const { rows } = await scene.api.db.pool.query<{ status: string }>(
        'select status from webhook_deliveries order by event_id',
      );
      return rows.map(({ status }) => status);
    },
    async webhook() {
      const { data } = await scene.dealer.browser.gql(`query ($id: ID!) { webhook(id: $id) { ${shown} } }`, {
        id: scene.made.id,
      });
      return data.webhook;
    },
    async act(mutation, id = scene.made.id) {
      const answer = await scene.dealer.browser.gql(`mutation ($id: ID!) { ${mutation} }`, { id });
      if (answer.errors[0]) throw new Error(answer.errors[0].message);
      return answer.data;
    },
  } as WebhookScene;
  beforeAll(async () => {
    scene.api = await makeTestApi({ env: TRYING });
    scene.dealer = await makeDealer(scene.api);
  });
  beforeEach(async () => {
    await scene.api.db.pool.query('delete from webhooks');
    await scene.api.db.pool.query('delete from mails');
    scene.made = await makeWebhook(scene.dealer);
    scene.receiver = scene.made.receiver;
    scene.engine = makeTestEngine(scene.api);
  });
  afterAll(() => scene.api.close());
  return scene;
}
