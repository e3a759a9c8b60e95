import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const CODE = /\.(?:tsx?|mjs|cjs|json|sql|graphql|yml|html|css)$/;
/** Generated and installed files, data, and this folder, whose examples would count as code. */
const SKIPPED = ['node_modules', 'dist', 'gql', 'api/data', 'api/test/docs'];

/** Names of other programs and formats, of PostgreSQL and its extensions, and of examples. */
const FOREIGN = new Set(
  `_note archive_command archive_timeout async_payment_failed async_payment_succeeded auto_explain certified_pre
   citus_rebalance_start citus_remove_node citus_update_node isolate_tenant_to_new_shard
   config_file createBrowserRouter data_directory debug_print_plan isTransactional legal_disclaimer log_parameter
   LOTWATCH_SECRET OTEL_EXPORTER_OTLP_CERTIFICATE OTEL_EXPORTER_OTLP_COMPRESSION OTEL_EXPORTER_OTLP_HEADERS
   OTEL_EXPORTER_OTLP_TIMEOUT OTEL_RESOURCE_ATTRIBUTES pg_ctl pg_dump pg_stat_statements pg_switch_wal place_counties rebalance_table_shards row_to_json RunTask sk_ vehicle_msrp
   vehicle_option vehicle_price_type vX`.split(/\s+/),
);

function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isSkipped = SKIPPED.some((skipped) => path === skipped || entry.name === skipped);
      return isSkipped || (entry.name.startsWith('.') && path !== '.github') ? [] : filesIn(path, ending);
    }
    return ending.test(entry.name) && entry.name !== 'package-lock.json' ? [path] : [];
  });
}

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const codeNames = new Set(
  filesIn('.', CODE).flatMap((path) => [...`${path} ${readText(path)}`.matchAll(/[\w$]+/g)].map(([name]) => name)),
);
const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };

/** The names in backticks that are written in camel or snake case, and the scripts after `npm run`, that don't exist. */
function unknownNames(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/^ {4}.*$/gm, '');
  const names = [...prose.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => [...code.matchAll(/(?<![\w-])[A-Za-z_]\w*/g)].map(([name]) => name))
    .filter((name) => /[a-z0-9][A-Z]|_/.test(name) && !codeNames.has(name) && !FOREIGN.has(name));
  const commands = [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name);
  return [...new Set([...names, ...commands.filter((name) => !(name in scripts))])];
}

it('every name and command of the pages exists in the code', () => {
  const unknown = filesIn('.', /\.md$/).flatMap((page) =>
    unknownNames(readText(page)).map((name) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

it('a name and a command that do not exist are found', () => {
  const page = '`matches.alert_id`, `NO_SUCH_SETTING` and `noSuchFunction()`; `npm run check` and `npm run no:such`';
  expect(unknownNames(page)).toEqual(['NO_SUCH_SETTING', 'noSuchFunction', 'no:such']);
});
