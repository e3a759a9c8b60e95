interface Partitioned {
  primaryKey: string;
  /** The other indexes: name and definition, as after the table's name in "create index". */
  indexes: Readonly<Record<string, string>>;
  /** SQL before the partition is attached, while `TABLE_1` is the table that was there. */
  before?: string;
}

/**
 * SQL: makes a table the first partition of a partitioned one of its name, by ranges of listings. Nothing is read or written:
 * a range without bounds is no condition on rows. Who waits for the lock, or has prepared a statement, goes on with the table
 * that has the name by then; so the privileges go with the name. The indexes become parts of those of the new table.
 */
export function partition(table: string, { primaryKey, indexes, before = '' }: Partitioned): string {
  const names = Object.entries(indexes);
  return /* sql */ `
    do $$
    declare
      granted record;
    begin
      if (select relkind from pg_class where oid = '${table}'::regclass) = 'p' then return; end if;
      lock table ${table} in access exclusive mode;
      alter table ${table} rename to ${table}_1;
      create table ${table} (like ${table}_1 including defaults) partition by range (listing_id);
      ${before}
      alter table ${table}_1 rename constraint ${table}_pkey to ${table}_1_pkey;
      alter table ${table} add primary key (${primaryKey});
      ${names.map(([name]) => `alter index ${name} rename to ${ofPartition(name, table)};`).join('\n      ')}
      ${names.map(([name, definition]) => `create index ${name} on ${table} ${definition};`).join('\n      ')}
      for granted in
        select a.privilege_type, a.grantee::regrole as role
          from pg_class c cross join aclexplode(c.relacl) a
         where c.oid = '${table}_1'::regclass and a.grantee <> 0 and a.grantee <> c.relowner
      loop
        execute format('grant %s on ${table} to %s', granted.privilege_type, granted.role);
      end loop;
      alter table ${table} attach partition ${table}_1 for values from (minvalue) to (maxvalue);
    end $$;`;
}

/** The name of the part of an index: `matches_1_alert` of `matches_alert`. */
const ofPartition = (index: string, table: string): string => index.replace(table, `${table}_1`);

/** SQL that undoes it. It fails, and changes nothing, where there is more than one partition, whose rows would be lost. */
export function unpartition(table: string, indexes: readonly string[], after = ''): string {
  return /* sql */ `
    do $$ begin
      lock table ${table} in access exclusive mode;
      if (select count(*) from pg_inherits where inhparent = '${table}'::regclass) > 1 then
        raise object_not_in_prerequisite_state using
          message = '${table} has several partitions, whose rows would be lost',
          hint = 'Restore a backup of the version before, or migrate up again.';
      end if;
    end $$;
    alter table ${table} detach partition ${table}_1;
    drop table ${table};
    alter table ${table}_1 rename to ${table};
    alter table ${table} rename constraint ${table}_1_pkey to ${table}_pkey;
    ${indexes.map((name) => `alter index ${ofPartition(name, table)} rename to ${name};`).join('\n    ')}
    ${after}`;
}
