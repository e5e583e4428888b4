/** A database as SQL that any PostgreSQL takes: a small pg_dump, which no npm package brings. No partitions, no views. */
import pg from "pg";

const columns = `
  select quote_ident(attname) as name, quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
    || case when collname is null or collname = 'default' then '' else ' collate ' || quote_ident(collname) end
    || case when attnotnull then ' not null' else '' end as definition
  from pg_attribute left join pg_collation on pg_collation.oid = attcollation
  where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`;
/** Rules of NOT NULL ("n", from PostgreSQL 18 on) are part of the columns. */
const constraints = `
  select 'alter table ' || conrelid::regclass || ' add constraint ' || quote_ident(conname) || ' '
    || pg_get_constraintdef(oid) as statement
  from pg_constraint where conrelid = $1::regclass and contype <> 'n' order by contype desc, conname`;
const indexes = `
  select pg_get_indexdef(indexrelid) as statement from pg_index
  where indrelid = $1::regclass and indexrelid not in (select conindid from pg_constraint) order by indexrelid`;

/** One statement an element, in the order in which they must run. */
export async function dumpSql(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const read = async <T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
    (await client.query<T>(text, [...values])).rows;
  try {
    // One view of all tables, as pg_dump has it.
    await client.query("begin isolation level repeatable read read only");
    const statements: string[] = [];
    const tables = await read<{ name: string }>(
      "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename",
    );
    for (const { name } of tables) {
      const found = await read<{ name: string; definition: string }>(columns, [name]);
      statements.push(`create table ${name} (${found.map(({ definition }) => definition).join(", ")})`);
      const values = found.map((column) => `quote_nullable(${column.name}::text)`).join(" || ', ' || ");
      const rows = await read<{ row: string }>(`select ${values} as row from ${name} order by 1`);
      for (const { row } of rows) statements.push(`insert into ${name} values (${row})`);
      for (const query of [constraints, indexes])
        for (const { statement } of await read<{ statement: string }>(query, [name]))
          statements.push(statement);
    }
    return statements;
  } finally {
    await client.end();
  }
}
