import { beforeEach, describe, expect, it } from 'vitest';
import { appCode, type Browser, makeBrowser } from '../../../test/browser.ts';
import { ADMIN_PASSWORD, setUpApi } from '../../../test/make-app.ts';
import { namesWhere } from '../../policies/operations.ts';
import { rightsCalls } from '../../rest/calls/account.ts';

let admin: Browser;
let buyer: Browser;
const api = setUpApi({}, async () => {
  admin = makeBrowser(api.url);
  await admin.login('admin', ADMIN_PASSWORD);
  ({ browser: buyer } = await api.user('audited'));
  await api.db.pool.query("insert into sources (name, kind) values ('lot', 'push')");
});

let before = 0;
beforeEach(async () => {
  before = (await api.db.row('select coalesce(max(id), 0) as id from audit_log')).id;
});
/** The rows that were written since the test began. */
const written = async () =>
  (await api.db.rows('select actor, action, subject, outcome from audit_log where id > $1 order by id', [before])).map(
    ({ actor, action, subject, outcome }) => [actor, action, subject, outcome],
  );

const adminMutations = namesWhere('mutation', ({ access }) => access === 'admin');

describe('the list of the admin’s operations', () => {
  it('contains every mutation that only the admin may call', () => {
    expect(namesWhere('mutation', ({ access, audit }) => access === 'admin' && !audit)).toEqual([]);
  });

  it('contains every call of REST that only the admin may make', () => {
    const changes = rightsCalls.filter(({ method }) => method !== 'GET');
    expect(changes.length).toBeGreaterThan(0);
    const names = changes.map((call) => call.operation.match(/\{\s*(\w+)/)?.[1] ?? '');
    for (const name of names) expect(adminMutations).toContain(name);
  });
});

let codes: string[] = [];
const refusedAndDone = (action: string) =>
  ['VALIDATION', 'done'].map((outcome) => ['admin', action, 'user 1', outcome]);

/** A mutation of sources. A name that is none is not logged, as it may be anything. */
const sourceMutation = (name: string, source: string) =>
  admin.gql(
    `mutation ($input: SourceInput!) { ${name}(input: $input${name === 'updateSource' ? ', version: 1' : ''}) { __typename } }`,
    {
      input: { name: source, kind: 'vehicle-feed', fields: [{ name: 'url', value: 'http://127.0.0.1:9/feed.csv' }] },
    },
  );
const sourceRows = (action: string, subject: string, outcome: string) => [
  ['admin', action, 'source new-lot', 'done'],
  ['admin', action, subject, outcome],
];

/** For each logged operation: a call that succeeds, one that is refused, and the rows of the log. */
const acts: Record<string, () => Promise<{ expected: unknown[][] }>> = {
  async dismissQuarantined() {
    await admin.gql('mutation { dismissQuarantined(source: "lot", code: "NO_ID") }');
    await admin.gql('mutation { dismissQuarantined }');
    return {
      expected: [
        ['admin', 'quarantine.dismiss', 'all records of source lot with NO_ID', 'done'],
        ['admin', 'quarantine.dismiss', 'all records', 'VALIDATION'],
      ],
    };
  },
  async trySource() {
    await sourceMutation('trySource', 'new-lot');
    await sourceMutation('trySource', 'Ana Smith');
    return { expected: sourceRows('source.try', 'source unknown', 'VALIDATION') };
  },
  async createSource() {
    await sourceMutation('createSource', 'new-lot');
    await sourceMutation('createSource', 'lot');
    return { expected: sourceRows('source.create', 'source lot', 'VALIDATION') };
  },
  async updateSource() {
    await sourceMutation('updateSource', 'new-lot');
    await sourceMutation('updateSource', 'lot');
    return { expected: sourceRows('source.update', 'source lot', 'CONFLICT') };
  },
  async endSource() {
    await admin.gql('mutation { endSource(name: "new-lot") }');
    await admin.gql('mutation { endSource(name: "lot") }');
    return { expected: sourceRows('source.end', 'source lot', 'CONFLICT') };
  },
  async resumeSource() {
    await admin.gql('mutation { resumeSource(name: "new-lot") }');
    await admin.gql('mutation { resumeSource(name: "no-lot") }');
    return { expected: sourceRows('source.resume', 'source no-lot', 'NOT_FOUND') };
  },
  async retryQuarantined() {
    await admin.gql('mutation { retryQuarantined(ids: ["7"]) { tried } }');
    await admin.gql('mutation { retryQuarantined(after: "x") { tried } }');
    return {
      expected: [
        ['admin', 'quarantine.retry', 'records 7', 'started'],
        ['admin', 'quarantine.retry', 'records 7', 'done'],
        ['admin', 'quarantine.retry', 'all records', 'VALIDATION'],
      ],
    };
  },
  async updateDeletionRequest() {
    const asked = await buyer.gql('mutation { requestDeletion(reason: "x") { requestId } }');
    const { requestId } = asked.data.requestDeletion;
    const subject = `deletion request ${requestId}`;
    const decide = 'mutation ($id: ID!) { updateDeletionRequest(requestId: $id, status: rejected, notes: "n") { id } }';
    await admin.gql(decide, { id: requestId });
    await admin.gql(decide, { id: requestId });
    await admin.gql(decide, { id: 'ana@example.test' });
    return {
      expected: [
        ['admin', 'deletion-request.update', subject, 'rejected'],
        ['admin', 'deletion-request.update', subject, 'CONFLICT'],
        ['admin', 'deletion-request.update', 'deletion request unknown', 'NOT_FOUND'],
      ],
    };
  },
  async executeDeletion() {
    const { browser: leaver, id } = await api.user('leaver');
    const asked = await leaver.gql('mutation { requestDeletion(reason: "x") { requestId } }');
    const { requestId } = asked.data.requestDeletion;
    // Over REST, which runs the same operation.
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ status: 'approved' });
    await admin.fetch(`/api/admin/deletion-requests/${requestId}`, { method: 'PATCH', headers: json, body });
    await admin.fetch(`/api/admin/execute-deletion/${id}`, { method: 'POST' });
    await admin.fetch(`/api/admin/execute-deletion/${id}`, { method: 'POST' });
    return {
      expected: [
        ['admin', 'deletion-request.update', `deletion request ${requestId}`, 'approved'],
        ['admin', 'deletion-request.execute', `user ${id}`, 'done'],
        ['admin', 'deletion-request.execute', `deletion request ${requestId}`, 'completed'],
        ['admin', 'deletion-request.execute', `user ${id}`, 'CONFLICT'],
      ],
    };
  },
  async changePassword() {
    const change = `mutation ($now: String!, $next: String!) {
      changePassword(currentPassword: $now, newPassword: $next) { message }
    }`;
    const rows = await api.db.rows('select password_hash as hash from users where id = 1');
    await admin.gql(change, { now: ADMIN_PASSWORD, next: 'another-1' });
    await admin.gql(change, { now: 'wrong-password', next: 'another-2' });
    await api.db.pool.query('update users set password_hash = $1 where id = 1', [rows[0].hash]);
    const row = ['admin', 'admin.password.change', 'user 1'];
    return {
      expected: [
        [...row, 'done'],
        [...row, 'VALIDATION'],
      ],
    };
  },
  async updateProfile() {
    const update = 'mutation ($email: String) { updateProfile(input: { email: $email }) { id } }';
    await admin.gql(update, { email: 'admin@example.test' });
    await admin.gql(update, { email: 'nowhere' });
    return {
      expected: [
        ['admin', 'admin.profile.change', 'user 1', 'done'],
        ['admin', 'admin.profile.change', 'user 1', 'VALIDATION'],
      ],
    };
  },
  async confirmSecondFactor() {
    const { data } = await admin.gql('mutation { startSecondFactor { secret } }');
    const confirm = 'mutation ($c: String!) { confirmSecondFactor(code: $c) { codes } }';
    await admin.gql(confirm, { c: 'wrong' });
    const confirmed = await admin.gql(confirm, { c: appCode(data.startSecondFactor.secret) });
    codes = confirmed.data.confirmSecondFactor.codes;
    return { expected: refusedAndDone('admin.second-factor.on') };
  },
  async renewRecoveryCodes() {
    const renew = 'mutation ($c: String!) { renewRecoveryCodes(code: $c) { codes } }';
    await admin.gql(renew, { c: 'wrong' });
    codes = (await admin.gql(renew, { c: codes[0] })).data.renewRecoveryCodes.codes;
    return { expected: refusedAndDone('admin.recovery-codes.renew') };
  },
  async endSecondFactor() {
    const end = 'mutation ($c: String!) { endSecondFactor(code: $c) { message } }';
    await admin.gql(end, { c: 'wrong' });
    await admin.gql(end, { c: codes[0] });
    return { expected: refusedAndDone('admin.second-factor.off') };
  },
};

describe('an operation of the admin', () => {
  it('is tested here wherever the list says that it is logged', () => {
    expect(Object.keys(acts).sort()).toEqual(namesWhere('mutation', ({ audit }) => audit !== undefined).sort());
  });

  it.each(Object.keys(acts))('%s is a row, done or refused', async (name) => {
    const { expected } = (await acts[name]?.()) ?? {};
    expect(await written()).toEqual(expected);
  });

  it('that is rolled back leaves no row in the log', async () => {
    await api.db.pool.query(`create function refuse_all() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`);
    await api.db.pool.query(`create trigger refuse_all before delete on quarantine
      for each statement execute function refuse_all()`);
    const { errors } = await admin.gql('mutation { dismissQuarantined(source: "lot") }');
    await api.db.pool.query('drop trigger refuse_all on quarantine');
    expect(errors[0]?.extensions.code).toBe('INTERNAL');
    expect(await written()).toEqual([['admin', 'quarantine.dismiss', 'all records of source lot', 'INTERNAL']]);
  });

  it('of another user writes no row', async () => {
    await buyer.gql('mutation { executeDeletion(userId: "1") { message } }');
    await buyer.gql('mutation { dismissQuarantined(source: "lot") }');
    await buyer.gql('mutation { updateProfile(input: { email: "b@example.test" }) { id } }');
    await makeBrowser(api.url).login('audited', 'wrong-1');
    expect(await written()).toEqual([]);
  });
});

it('each login as the admin is logged, also a failed one', async () => {
  await makeBrowser(api.url).login(' ADMIN ', ADMIN_PASSWORD);
  await makeBrowser(api.url).login('admin', 'guess-1');
  const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD });
  const headers = { 'content-type': 'application/json' };
  await makeBrowser(api.url).fetch('/api/login', { method: 'POST', headers, body });
  expect(await written()).toEqual([
    ['admin', 'admin.login', 'user 1', 'done'],
    ['visitor', 'admin.login', 'user 1', 'UNAUTHENTICATED'],
    ['admin', 'admin.login', 'user 1', 'done'],
  ]);
});

describe('reading the log', () => {
  const read = `query ($first: Int, $after: String) {
    auditLog(first: $first, after: $after) { nodes { id at actor action label subject outcome } endCursor hasMore }
  }`;

  it('shows the newest first, page by page', async () => {
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const page: { nodes: { id: string }[]; endCursor: string; hasMore: boolean } = (
        await admin.gql(read, { first: 3, after })
      ).data.auditLog;
      ids.push(...page.nodes.map(({ id }) => id));
      after = page.hasMore ? page.endCursor : null;
    } while (after);
    const rows = await api.db.rows('select id from audit_log order by id desc');
    expect(ids).toEqual(rows.map(({ id }) => String(id)));
    const [newest] = (await admin.gql(read, { first: 1 })).data.auditLog.nodes;
    expect(newest).toMatchObject({ actor: 'admin', action: 'admin.login', label: 'Signed in', outcome: 'done' });
  });

  it('refuses an invalid page size or cursor', async () => {
    for (const variables of [{ first: 0 }, { first: 101 }, { after: 'x' }]) {
      expect((await admin.gql(read, variables)).errors[0]?.extensions.code).toBe('VALIDATION');
    }
  });
});

it('nobody can change or delete a row, not even the owner of the table', async () => {
  for (const change of ["update audit_log set outcome = ''", 'delete from audit_log', 'truncate audit_log']) {
    await expect(api.db.pool.query(change)).rejects.toThrow('audit_log is append-only');
  }
});
