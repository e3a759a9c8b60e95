import {
  type Configuration,
  PostgreSqlConnection,
  PostgreSqlDriver,
  PostgreSqlPlatform,
  raw,
} from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';

type Execute = PostgreSqlConnection['execute'];
type Query = Parameters<Execute>[0];
type Params = Parameters<Execute>[1];

/** Writes `$1`, `$2` … in place of the values that the ORM would inline into the statement. */
class BindingPlatform extends PostgreSqlPlatform {
  #values: unknown[] = [];

  bind(sql: string, params: readonly unknown[]): { text: string; values: unknown[] } {
    this.#values = [];
    return { text: this.formatQuery(sql, params), values: this.#values };
  }

  override escape(value: unknown): string {
    if (Array.isArray(value)) return value.map((one) => this.escape(one)).join(', ');
    this.#values.push(value);
    return `$${this.#values.length}`;
  }
}

function asFragment(query: Query, params: Params = []): { sql: string; params: readonly unknown[] } {
  if (typeof query !== 'string') return 'toRaw' in query ? query.toRaw() : query;
  return Array.isArray(params) ? { sql: query, params } : raw(query, params);
}

/**
 * Sends values as parameters. The ORM's own connection inlines them into the statement, which the server shows to other
 * sessions and may log.
 */
class BindingConnection extends PostgreSqlConnection {
  readonly #binder = new BindingPlatform();

  override async execute<T>(query: Query, params?: Params, method?: 'all' | 'get' | 'run', ctx?: unknown): Promise<T> {
    await this.ensureConnection();
    const fragment = asFragment(query, params);
    const { text, values } = this.#binder.bind(fragment.sql, fragment.params);
    const runner = (ctx as Kysely<unknown> | undefined) ?? this.getClient();
    const result = await runner.executeQuery(CompiledQuery.raw(text, values));
    return this.transformRawResult<T>(result, method ?? 'all');
  }

  override stream(): never {
    throw new Error('The ORM would inline the values into the statement: read with a pool instead.');
  }
}

/** The ORM's driver with bound parameters. */
export class BindingDriver extends PostgreSqlDriver {
  protected override readonly connection: BindingConnection;

  constructor(config: Configuration) {
    super(config);
    this.connection = new BindingConnection(this.config);
  }
}
