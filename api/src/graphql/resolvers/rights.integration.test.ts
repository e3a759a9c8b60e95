import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, type TestApi } from '../../../test/make-app.ts';

let api: TestApi;
let admin: Browser;
let buyer: Browser;
let buyerId: number;
let people = 0;
beforeAll(async () => {
  // Sockets are closed by a notification, not by the regular check.
  api = await makeTestApi({ checkSocketsEveryMs: 3_600_000 });
  admin = await api.admin();
});
afterAll(() => api.close());
beforeEach(async () => {
  buyer = makeBrowser(api.url);
  people += 1;
  buyerId = await buyer.register(`ana${people}`);
});

const request = async (browser: Browser, reason = 'I found my car.') =>
  browser.gql(
    `mutation ($reason: String!) {
       requestDeletion(reason: $reason) { id requestId userId username reason status notes createdAt decisions }
     }`,
    { reason },
  );
const decide = (requestId: string, status: string, notes?: string | null, browser = admin) =>
  browser.gql(
    `mutation ($requestId: ID!, $status: DeletionStatus!, $notes: String) {
       updateDeletionRequest(requestId: $requestId, status: $status, notes: $notes) { status notes decisions }
     }`,
    { requestId, status, ...(notes !== undefined && { notes }) },
  );
const execute = (userId: number | string, browser = admin) =>
  browser.gql('mutation ($userId: ID!) { executeDeletion(userId: $userId) { message } }', { userId: String(userId) });
const codeOf = (answer: { errors: { extensions: Record<string, unknown> }[] }) => answer.errors[0]?.extensions.code;

/** A request of the buyer in that state. @returns its id */
async function requestIn(status: string): Promise<string> {
  const { requestId } = (await request(buyer)).data.requestDeletion;
  if (status !== 'pending') await decide(requestId, status === 'completed' ? 'approved' : status);
  if (status === 'completed') await execute(buyerId);
  return requestId;
}

describe('who may', () => {
  it.each([
    ['list requests', '{ deletionRequests { id } }'],
    ['decide', 'mutation { updateDeletionRequest(requestId: "DR-AAAAAA", status: approved) { id } }'],
    ['execute', 'mutation { executeDeletion(userId: "2") { message } }'],
  ])('%s: the admin alone', async (_name, query) => {
    expect(codeOf(await makeBrowser(api.url).gql(query))).toBe('UNAUTHENTICATED');
    expect(codeOf(await buyer.gql(query))).toBe('FORBIDDEN');
    expect(['UNAUTHENTICATED', 'FORBIDDEN']).not.toContain(codeOf(await admin.gql(query)));
  });

  it.each([
    ['export', 'mutation { exportMyData }'],
    ['ask for deletion', 'mutation { requestDeletion(reason: "x") { id } }'],
    ['see their requests', '{ myDeletionRequests { id } }'],
  ])('%s: requires a session', async (_name, query) => {
    expect(codeOf(await makeBrowser(api.url).gql(query))).toBe('UNAUTHENTICATED');
    expect(codeOf(await buyer.gql(query))).toBeUndefined();
  });
});

describe('a deletion request', () => {
  it('is pending, has an unguessable name, and is visible to its user and the admin', async () => {
    const made = (await request(buyer, '  I found my car.\u0000 ')).data.requestDeletion;
    expect(made).toMatchObject({
      requestId: expect.stringMatching(/^DR-[A-HJ-NP-Z2-9]{6}$/),
      userId: String(buyerId),
      username: `ana${people}`,
      reason: expect.stringMatching(/^I found my car\./),
      status: 'pending',
      notes: null,
      decisions: ['approved', 'rejected'],
    });
    expect((await buyer.gql('{ myDeletionRequests { id } }')).data.myDeletionRequests).toEqual([{ id: made.id }]);
    const listed = async (status: string) =>
      (await admin.gql(`{ deletionRequests${status} { id } }`)).data.deletionRequests.map(
        ({ id }: { id: string }) => id,
      );
    expect((await listed(''))[0]).toBe(made.id);
    expect(await listed('(status: pending)')).toContain(made.id);
    expect(await listed('(status: approved)')).not.toContain(made.id);
    const { browser: other } = await api.user(`bo${people}`);
    expect((await other.gql('{ myDeletionRequests { id } }')).data.myDeletionRequests).toEqual([]);
  });

  it.each([
    ['', 'Please provide a reason for your deletion request.'],
    [' \n ', 'Please provide a reason for your deletion request.'],
    ['\f', 'Please provide a reason for your deletion request.'],
    ['x'.repeat(2001), 'Reason can have at most 2,000 characters'],
  ])('needs a reason: %#', async (reason, message) => {
    const answer = await request(buyer, reason);
    expect(answer.errors[0]).toMatchObject({
      message,
      extensions: { code: 'VALIDATION', fields: { reason: message } },
    });
    expect(codeOf(await request(buyer, 'x'.repeat(2000)))).toBeUndefined();
  });

  it('is the only open one of its user, also after two concurrent calls', async () => {
    const both = await Promise.all([request(buyer), request(buyer), request(buyer)]);
    expect(both.map(codeOf).filter((code) => code === 'CONFLICT')).toHaveLength(2);
    const { requestId } = (await buyer.gql('{ myDeletionRequests { requestId } }')).data.myDeletionRequests[0];
    expect((await request(buyer)).errors[0]?.message).toBe(
      `You already have an open deletion request: ${requestId} is pending.`,
    );
    await decide(requestId, 'approved');
    expect(codeOf(await request(buyer))).toBe('CONFLICT');
  });

  it('can be made again after it was rejected', async () => {
    await requestIn('rejected');
    expect((await request(buyer)).data.requestDeletion.status).toBe('pending');
  });
});

describe('a decision', () => {
  const states = ['pending', 'approved', 'rejected', 'completed'] as const;
  const allowed = ['pending > approved', 'pending > rejected'];
  it.each(states.flatMap((from) => states.map((to) => [from, to] as const)))('%s > %s', async (from, to) => {
    const requestId = await requestIn(from);
    const code = codeOf(await decide(requestId, to));
    expect(code).toBe(allowed.includes(`${from} > ${to}`) ? undefined : 'CONFLICT');
    const { data } = await admin.gql('{ deletionRequests { requestId status } }');
    const now = data.deletionRequests.find((one: { requestId: string }) => one.requestId === requestId).status;
    expect(now).toBe(code === undefined ? to : from);
  });

  it('is accepted once, whichever of two concurrent calls is first', async () => {
    const requestId = await requestIn('pending');
    const answers = await Promise.all(
      ['approved', 'rejected', 'approved', 'rejected'].map((status) => decide(requestId, status)),
    );
    expect(answers.map(codeOf).filter((code) => code === undefined)).toHaveLength(1);
    expect(answers.map(codeOf).filter((code) => code === 'CONFLICT')).toHaveLength(3);
  });

  it('has notes that can be kept, changed and removed while the request is open', async () => {
    const requestId = await requestIn('pending');
    const notes = async (status: string, text?: string | null) => {
      const answer = await decide(requestId, status, text);
      return answer.data?.updateDeletionRequest?.notes ?? codeOf(answer) ?? null;
    };
    expect(await notes('pending', ' called ')).toBe('called');
    expect(await notes('approved')).toBe('called');
    expect(await notes('approved', 'called')).toBe('CONFLICT');
    expect(await notes('approved', 'called twice')).toBe('called twice');
    expect(await notes('approved', null)).toBeNull();
    const tooLong = await decide(requestId, 'approved', 'x'.repeat(2001));
    expect(tooLong.errors[0]?.extensions.fields).toEqual({ notes: 'Notes can have at most 2,000 characters' });
    expect(codeOf(await decide('DR-AAAAAA', 'approved'))).toBe('NOT_FOUND');
    expect(codeOf(await decide('DR-\u0000', 'approved'))).toBe('NOT_FOUND');
  });
});

describe('execution', () => {
  it.each(['pending', 'rejected'])('is refused while the request is %s', async (status) => {
    await requestIn(status);
    expect(codeOf(await execute(buyerId))).toBe('CONFLICT');
    expect((await buyer.gql('{ me { id } }')).data.me).toEqual({ id: String(buyerId) });
  });

  it('is refused without a request, for the admin, and for an unknown user', async () => {
    expect(codeOf(await execute(buyerId))).toBe('CONFLICT');
    expect((await request(admin)).errors[0]).toMatchObject({
      message: "The admin's account can't be deleted.",
      extensions: { code: 'CONFLICT' },
    });
    await api.db.pool.query(
      "insert into deletion_requests (request_id, user_id, status) values ('DR-BBBBBB', 1, 'approved')",
    );
    expect(codeOf(await execute(1))).toBe('CONFLICT');
    await api.db.pool.query('delete from deletion_requests where user_id = 1');
    expect(codeOf(await execute(999_999))).toBe('NOT_FOUND');
    expect((await admin.gql('{ me { id } }')).data.me).toEqual({ id: '1' });
    expect(codeOf(await execute('no number'))).toBe('NOT_FOUND');
  });

  it('erases the account once, and ends its sessions and sockets', async () => {
    await requestIn('approved');
    const socket = buyer.socket();
    const closed = new Promise<number>((resolve) => {
      socket.on('closed', (event) => resolve((event as { code: number }).code));
    });
    const live = socket.iterate({ query: 'subscription { matchAdded { cursor } }' });
    const waiting = live.next().catch(() => undefined);
    await new Promise<void>((resolve) => socket.on('connected', () => resolve()));
    const answers = await Promise.all([execute(buyerId), execute(buyerId), execute(buyerId)]);
    expect(answers.map(codeOf).sort()).toEqual(['CONFLICT', 'CONFLICT', undefined]);
    expect(await closed).toBe(4401);
    await waiting;
    expect(codeOf(await buyer.gql('{ alerts { id } }'))).toBe('UNAUTHENTICATED');
    expect((await execute(buyerId)).errors[0]?.message).toBe('The data of this user is erased already.');
    const rows = await api.db.rows(
      `select count(*) as acts from audit_log where subject = 'user ' || $1::text and outcome = 'done'`,
      [buyerId],
    );
    expect(rows).toEqual([{ acts: 1 }]);
  });
});
