import { linkExpiry, signToken } from '../../src/domain/action-links.ts';
import { type Browser, makeBrowser } from '../browser.ts';
import type { TestApi } from '../make-app.ts';

const fields = 'email pendingEmail emailConfirmed';
export const update = `mutation ($email: String) { updateProfile(input: { email: $email, phone: "1" }) { ${fields} } }`;
export const cancel = `mutation { cancelEmailChange { ${fields} } }`;
const confirm = 'mutation ($token: String!) { confirmEmail(token: $token) { message } }';

export interface Owner {
  id: number;
  name: string;
  /** The confirmed address. */
  old: string;
  browser: Browser;
  change(email: string | null): Promise<unknown>;
}

export const has = (email: string, pendingEmail: string | null = null) => ({
  email,
  pendingEmail,
  emailConfirmed: true,
});

/** Makes users who change their addresses, and presses the links of the mails about it. */
export function makeOwners(api: Pick<TestApi, 'url' | 'db' | 'linkSecret' | 'user'>) {
  let people = 0;

  /** Registers a user with a confirmed address. */
  async function owner(): Promise<Owner> {
    people += 1;
    const name = `owner-${people}`;
    const { browser, id } = await api.user(name);
    await api.db.pool.query('update users set email_confirmed_at = now() where id = $1', [id]);
    await api.db.pool.query('delete from mails');
    const change = async (email: string | null) => (await browser.gql(update, { email })).data.updateProfile;
    return { id, name, old: `${name}@example.test`, browser, change };
  }

  const token = (action: 'confirm-email' | 'undo-email', userId: number, email: string, sentAt = new Date()) =>
    signToken(api.linkSecret, { action, userId, email, expiresAt: linkExpiry(action, sentAt) });
  const pressConfirm = async ({ id }: Owner, email: string) => {
    const { errors } = await makeBrowser(api.url).gql(confirm, { token: token('confirm-email', id, email) });
    return errors[0]?.extensions.code ?? 'confirmed';
  };
  const undoPath = ({ id }: Owner, email: string) => `/m/${token('undo-email', id, email)}`;
  async function visit(
    path: string,
    method: 'GET' | 'POST',
  ): Promise<{ status: number; heading: string; page: string }> {
    const response = await makeBrowser(api.url).fetch(path, { method });
    const page = await response.text();
    return { status: response.status, heading: /<h1>(.*?)<\/h1>/.exec(page)?.[1] ?? '', page };
  }
  const pressUndo = async (of: Owner, email = of.old) => (await visit(undoPath(of, email), 'POST')).heading;
  const stored = ({ id }: Owner) =>
    api.db.row(
      `select email, pending_email as "pendingEmail", email_confirmed_at is not null as "emailConfirmed"
         from users where id = $1`,
      [id],
    );
  const mails = () => api.db.rows('select kind, to_address as "to", data from mails order by created_at, kind');

  return { owner, token, pressConfirm, undoPath, visit, pressUndo, stored, mails };
}
