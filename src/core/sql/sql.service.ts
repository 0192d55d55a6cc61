import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import type { Page } from '../pagination/page.js';
import type { Paging } from '../pagination/paging.decorator.js';

/** More than this many records are not counted (API doc, Limits). */
const COUNTED_RECORDS = 10_000;

/** Distinct statements prepared per connection; later ones run unprepared. */
const MAX_PREPARED = 500;

interface ListQuery {
  /** Column of `from` that names a row; with it `select` is worked out for the page's rows only. */
  key?: string;
  select: string;
  from: string;
  where: string;
  orderBy: string;
  values: unknown[];
}

/**
 * Reads rows by hand-written SQL as named prepared statements: parsed and planned once per
 * connection. For hot reads and lists; writes and transactions go through TypeORM.
 */
@Injectable()
export class Sql {
  private readonly names = new Map<string, string>();

  constructor(private readonly dataSource: DataSource) {}

  /** All rows of one statement; `text` is fixed by the code, request data goes into `values`. */
  async rows<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    const name = this.nameOf(text);
    const query = name === undefined ? { text, values } : { name, text, values };
    const result = await this.pool.query<T>(query);
    return result.rows;
  }

  /** The first row or null. */
  async row<T extends object>(text: string, values: unknown[] = []): Promise<T | null> {
    const rows = await this.rows<T>(text, values);
    return rows[0] ?? null;
  }

  /** One page of a list and, up to 10,000 records, its total; two statements side by side. */
  async page<T extends object>(query: ListQuery, paging: Paging): Promise<Page<T>> {
    const { from, where, values } = query;
    const [rows, counted] = await Promise.all([
      this.rows<T>(pageSql(query), [...values, paging.perPage + 1, paging.offset]),
      this.row<{ count: number }>(
        `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${COUNTED_RECORDS + 1}) counted`,
        values,
      ),
    ]);
    const count = counted?.count ?? 0;
    return {
      items: rows.slice(0, paging.perPage),
      hasNext: rows.length > paging.perPage,
      total: count > COUNTED_RECORDS ? null : count,
    };
  }

  private get pool(): Pool {
    // TypeORM's PostgreSQL driver keeps its pg pool here; its type is not exported.
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  private nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    if (this.names.size >= MAX_PREPARED) return undefined;
    const name = createHash('sha1').update(text).digest('hex');
    this.names.set(text, name);
    return name;
  }
}

/** The statement for one page; the last two values are its limit and offset. */
function pageSql({ key, select, from, where, orderBy, values }: ListQuery): string {
  const limits = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
  const page = (columns: string): string =>
    `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${orderBy} ${limits}`;
  if (key === undefined) return page(select);
  // Otherwise a deep page computes every column of all rows before it as well.
  return `SELECT ${select} FROM ${from} WHERE ${key} = ANY(ARRAY(${page(key)})) ORDER BY ${orderBy}`;
}
