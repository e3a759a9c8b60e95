import { expect, it } from 'vitest';
import { appCode, type Browser, makeBrowser } from '../../../test/browser.ts';
import { ADMIN_PASSWORD, makeTestApi, PRODUCTION, startsInProduction } from '../../../test/make-app.ts';

const start = 'mutation { startSecondFactor { secret uri } }';
const confirm = 'mutation ($c: String!) { confirmSecondFactor(code: $c) { codes } }';
const end = 'mutation ($c: String!) { endSecondFactor(code: $c) { message } }';
const change =
  'mutation ($a: String!, $b: String!) { changePassword(currentPassword: $a, newPassword: $b) { message } }';
const audit = '{ auditLog { nodes { action outcome } } }';

const codeOf = ({ errors }: Awaited<ReturnType<Browser['gql']>>) => errors[0]?.extensions.code ?? 'OK';
const restrictionOf = async (browser: Browser) => (await browser.gql('{ me { restrictedTo } }')).data.me.restrictedTo;

it.runIf(startsInProduction)(
  'lets the admin in production only set up a second factor until there is one, and never turn it off',
  async () => {
    const production = await makeTestApi({ env: PRODUCTION });
    const { pool } = production.db;
    const admin = makeBrowser(production.url, PRODUCTION.PUBLIC_URL);
    await pool.query('update users set must_change_password = true where id = 1');
    expect(codeOf(await admin.login('admin', ADMIN_PASSWORD))).toBe('OK');
    expect(await restrictionOf(admin)).toBe('password');
    expect(codeOf(await admin.gql(start))).toBe('FORBIDDEN');
    expect(codeOf(await admin.gql(change, { a: ADMIN_PASSWORD, b: 'another-word-of-tests' }))).toBe('OK');

    expect(await restrictionOf(admin)).toBe('secondFactor');
    expect(codeOf(await admin.gql(audit))).toBe('FORBIDDEN');
    expect(codeOf(await admin.gql('{ alerts { id } }'))).toBe('FORBIDDEN');
    const { secret } = (await admin.gql(start)).data.startSecondFactor;
    expect(codeOf(await admin.gql(audit))).toBe('FORBIDDEN');
    const { codes } = (await admin.gql(confirm, { c: appCode(secret) })).data.confirmSecondFactor;
    expect(await restrictionOf(admin)).toBeNull();
    const nodes = (await admin.gql(audit)).data.auditLog.nodes;
    expect(nodes).toContainEqual({ action: 'admin.second-factor.on', outcome: 'done' });

    expect(codeOf(await admin.gql(end, { c: codes[0] }))).toBe('FORBIDDEN');
    const again = makeBrowser(production.url, PRODUCTION.PUBLIC_URL);
    expect(codeOf(await again.login('admin', 'another-word-of-tests'))).toBe('CODE_NEEDED');
    expect((await admin.gql(audit)).data.auditLog.nodes[0]).toEqual({ action: 'admin.login', outcome: 'CODE_NEEDED' });
    expect(codeOf(await again.login('admin', 'another-word-of-tests', codes[0]))).toBe('OK');
    expect(codeOf(await again.gql(audit))).toBe('OK');
    await production.close();
  },
);
