import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, print, visit } from 'graphql';
import { sessionCookie } from '../../lab/session-cookie.ts';
import type { ThrowAway } from '../../lab/throw-away.ts';
import { loadAlerts } from '../rig/load-alerts.ts';
import { alertOf, type Group } from './cars.ts';

const web = fileURLToPath(new URL('../../../web/src', import.meta.url));
const TEMPLATE = /graphql\(`([^`]*)`\)/g;

function webDocuments(): DocumentNode {
  const texts = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('gql'))
    .flatMap((path) => [...readFileSync(join(web, path), 'utf8').matchAll(TEMPLATE)].map(([, text = '']) => text));
  return parse(texts.join('\n'), { noLocation: true });
}

function spreadsOf(node: DocumentNode | DocumentNode['definitions'][number]): string[] {
  const names: string[] = [];
  visit(node, { FragmentSpread: ({ name }) => void names.push(name.value) });
  return names;
}

const typename = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;

/** The web client's operation of this name with its fragments, and with `__typename` as its cache requires. */
export function webOperation(name: string): string {
  const { definitions } = webDocuments();
  const operation = definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION && one.name?.value === name,
  );
  if (!operation) throw new Error(`The web client has no operation ${name}.`);
  const needed = new Set<string>();
  const add = (names: readonly string[]) => {
    for (const one of names) {
      if (needed.has(one)) continue;
      needed.add(one);
      const fragment = definitions.find((other) => other.kind === Kind.FRAGMENT_DEFINITION && other.name.value === one);
      if (fragment) add(spreadsOf(fragment));
    }
  };
  add(spreadsOf(operation));
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      operation,
      ...definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION && needed.has(one.name.value)),
    ],
  };
  return print(
    visit(document, {
      SelectionSet: {
        leave: (node, _key, parent) =>
          parent && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION
            ? undefined
            : { ...node, selections: [...node.selections, typename] },
      },
    }),
  );
}

const DAY_MS = 86_400_000;

/** Creates a user with an alert and a session for each subscriber: subscriber `n` is user and alert `n + 1`. Returns their cookies. */
export async function makeSubscribers(
  db: ThrowAway,
  groups: readonly Group[],
  count: number,
  secret: string,
): Promise<string[]> {
  const alerts = Array.from({ length: count }, (_, at) => alertOf(groups[at % groups.length] as Group));
  await loadAlerts(db, alerts, { perUser: 1 });
  await db.pool.query("update alerts set location = 'Los Angeles, CA', place = 'Los Angeles, CA'");
  const ids = alerts.map((_, at) => `bench-session-${at + 1}`);
  const expires = new Date(Date.now() + 30 * DAY_MS);
  const cookie = { originalMaxAge: 30 * DAY_MS, expires, secure: false, httpOnly: true, path: '/', sameSite: 'lax' };
  await db.pool.query(
    `insert into session (sid, sess, expire)
     select sid, json_build_object('cookie', $2::json, 'userId', n), $3 from unnest($1::text[]) with ordinality s (sid, n)`,
    [ids, JSON.stringify(cookie), expires],
  );
  return ids.map((id) => sessionCookie(id, secret));
}
