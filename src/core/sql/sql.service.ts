import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { QueryConfig } from 'pg';
import { sliceOf, type Page } from '../pagination/page.js';
import type { Paging } from '../pagination/paging.decorator.js';
import type { NamedCount } from './counts.js';
import {
  COUNTED_RECORDS,
  countSql,
  pageStatement,
  uncountedPageStatement,
  type ListQuery,
} from './list-query.js';
import { poolOf } from './pg-driver.js';
import { requestReads } from './replica/request-reads.js';
import { beginning, type TransactionOptions } from './transactions.js';

/** Distinct statements prepared per connection; later ones run unprepared. */
const MAX_PREPARED = 500;

/** Sorting so many rows takes about as long as finding a page of them among a thousand times as many. */
const FEW_IDS = 1_000;

/**
 * Runs one statement of a transaction, prepared like those of `Sql.rows`. It is sent at once: those
 * that need no answer of each other can be awaited together. After one that fails the others do.
 */
export type TransactionRows = <T extends object>(text: string, values?: unknown[]) => Promise<T[]>;

/** Comes with every row of a page; above the counting limit it only says that there are more. */
interface Counted {
  total_count: number;
}

/**
 * Reads rows by hand-written SQL as named prepared statements: parsed and planned once per
 * connection. For lists and for what runs often; other writes go through TypeORM.
 */
@Injectable()
export class Sql {
  private readonly names = new Map<string, string>();
  /**
   * Lists that have more records than are counted: their pages are read without counting again.
   * Lists that shrink are counted half a minute later. Other counts of so many rows are here too.
   */
  private readonly long = new LRUCache<string, object>({ max: 1_000, ttl: 30_000 });

  private knownPool: ReturnType<typeof poolOf> | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** All rows of one statement; `text` is fixed by the code, request data goes into `values`. */
  rows<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return this.query<T>(this.prepared(text, values));
  }

  /** The same for a search, which is planned with its values and whose text can differ each time. */
  searchRows<T extends object>(text: string, values: unknown[]): Promise<T[]> {
    return this.query<T>({ text, values });
  }

  /** The first row or null. What a replica does not have yet is looked for on the primary. */
  async row<T extends object>(text: string, values: unknown[] = []): Promise<T | null> {
    return this.first(() => this.rows<T>(text, values));
  }

  /**
   * The same for a statement that finds its row by a key, takes less than a millisecond and runs
   * for nearly every request: concurrent ones share a connection and its system calls.
   */
  async lookUp<T extends object>(text: string, values: unknown[]): Promise<T | null> {
    const statement = this.prepared(text, values);
    const ask = () => this.pool.lookUps.query(statement, () => this.pool.query<T>(statement));
    return this.first(() => this.query<T>(statement, ask));
  }

  private async first<T extends object>(read: () => Promise<T[]>): Promise<T | null> {
    const reads = requestReads();
    // Asked before: another statement of the request can make it leave the replica meanwhile.
    const isOnReplica = reads?.isOnReplica === true;
    const [row] = await read();
    if (row !== undefined) return row;
    return isOnReplica ? reads.findOnPrimary(async () => (await read())[0] ?? null) : null;
  }

  /**
   * Returns the ids that a sub-select finds as `id` if they are few, and null otherwise: lists of few
   * rows name them, lists of many look for the next ones in their order. `most` are few.
   */
  async fewIds(idsSql: string, values: unknown[], most = FEW_IDS): Promise<number[] | null> {
    return fewOf(await this.rows<{ id: number }>(upTo(idsSql, most), values), most);
  }

  /** The same for a search, which can find up to 10,000; if it finds more, that is known for half a minute. */
  async fewFound(idsSql: string, values: unknown[]): Promise<number[] | null> {
    const text = upTo(idsSql, COUNTED_RECORDS);
    const list = `${text} ${JSON.stringify(values)}`;
    if (this.long.has(list)) return null;
    const found = fewOf(await this.searchRows<{ id: number }>(text, values), COUNTED_RECORDS);
    if (found === null) this.long.set(list, {});
    return found;
  }

  /**
   * Counts of rows by name, of which those above 10,000 are up to half a minute old. The statement
   * returns at most one row for each name in its last value, and reads nothing for others.
   */
  async counts<T extends NamedCount>(
    text: string,
    values: unknown[],
    names: readonly T['name'][],
  ): Promise<T[]> {
    const entry = (name: T['name']): string => `${name} ${text} ${JSON.stringify(values)}`;
    const kept = names.flatMap((name) => (this.long.get(entry(name)) as T | undefined) ?? []);
    const missing = names.filter((name) => !kept.some((row) => row.name === name));
    const rows = missing.length === 0 ? [] : await this.rows<T>(text, [...values, missing]);
    for (const row of rows) if (row.count > COUNTED_RECORDS) this.long.set(entry(row.name), row);
    return [...kept, ...rows];
  }

  /**
   * At most some hundred rows with a count each, up to half a minute old if their counts add up to
   * more than 10,000.
   */
  async countedRows<T extends { counted: number }>(text: string, values: unknown[]): Promise<T[]> {
    const entry = `${text} ${JSON.stringify(values)}`;
    const kept = this.long.get(entry) as T[] | undefined;
    if (kept !== undefined) return kept;
    const rows = await this.rows<T>(text, values);
    const total = rows.reduce((sum, { counted }) => sum + counted, 0);
    if (total > COUNTED_RECORDS) this.long.set(entry, rows);
    return rows;
  }

  /**
   * One page of a list and, up to 10,000 records, its total unless the paging does without: one
   * statement, as a rule.
   */
  async page<T extends object>(query: ListQuery, paging: Paging): Promise<Page<T>> {
    const list = `${countSql(query)} ${JSON.stringify(query.values)}`;
    if (!paging.isCounted || this.long.has(list)) return this.pageOfLong<T>(query, paging);
    const rows = await this.pageRows<T & Counted>(query, pageStatement(query, paging));
    const total = rows[0]?.total_count ?? (await this.count(query, paging));
    const isLong = total > COUNTED_RECORDS;
    if (isLong) this.long.set(list, {});
    return { ...sliceOf<T>(rows, paging.perPage), total: isLong ? null : total };
  }

  /** One page of a list that is not counted; the latest rows suffice for it or all are looked at. */
  private async pageOfLong<T extends object>(query: ListQuery, paging: Paging): Promise<Page<T>> {
    const recent = paging.page === 1 ? query.recent : undefined;
    if (recent === undefined) return this.uncountedPage<T>(query, paging);
    const latest = { ...query, where: `${query.where} AND ${recent}` };
    const page = await this.uncountedPage<T>(latest, paging);
    return page.hasNext ? page : this.uncountedPage<T>(query, paging);
  }

  private async uncountedPage<T extends object>(
    query: ListQuery,
    paging: Paging,
  ): Promise<Page<T>> {
    const rows = await this.pageRows<T>(query, uncountedPageStatement(query, paging));
    return { ...sliceOf(rows, paging.perPage), total: null };
  }

  private pageRows<T extends object>(
    { isSearch }: ListQuery,
    { text, values }: { text: string; values: unknown[] },
  ): Promise<T[]> {
    return isSearch === true ? this.searchRows<T>(text, values) : this.rows<T>(text, values);
  }

  /** The total for a page without rows, which cannot bring it along. */
  private async count(query: ListQuery, { page }: Paging): Promise<number> {
    if (page === 1) return 0;
    const { values } = query;
    const text = `SELECT ${countSql(query)} AS total_count`;
    const [counted] = await this.pageRows<Counted>(query, { text, values });
    return counted?.total_count ?? 0;
  }

  /** Runs the work in one transaction on one connection; a failure undoes it and is thrown on. */
  async transaction<T>(
    work: (rows: TransactionRows) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const client = await this.pool.connect();
    // A lost connection fails the statement under way; unheard, the event would end the process.
    const ignore = () => undefined;
    client.on('error', ignore);
    let isDone = false;
    try {
      // Sent together with the first statement.
      const begun = client.query(beginning(options));
      begun.catch(ignore);
      const result = await work(async (text, values = []) => {
        const answer = client.query(this.prepared(text, values));
        const [, { rows }] = await Promise.all([begun, answer]);
        return rows;
      });
      await begun;
      await client.query('COMMIT');
      isDone = true;
      return result;
    } finally {
      client.off('error', ignore);
      // Closing the connection rolls back an unfinished transaction.
      client.release(!isDone);
    }
  }

  private async query<T extends object>(
    statement: QueryConfig,
    askPrimary = () => this.pool.query<T>(statement),
  ): Promise<T[]> {
    const reads = requestReads();
    const { rows } = await (reads === undefined
      ? askPrimary()
      : reads.query<T>(statement, askPrimary));
    return rows;
  }

  private prepared(text: string, values: unknown[]) {
    const name = this.nameOf(text);
    return name === undefined ? { text, values } : { name, text, values };
  }

  private get pool(): ReturnType<typeof poolOf> {
    return (this.knownPool ??= poolOf(this.dataSource));
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

function upTo(idsSql: string, most: number): string {
  return `SELECT id FROM (${idsSql}) found LIMIT ${most + 1}`;
}

function fewOf(rows: readonly { id: number }[], most: number): number[] | null {
  return rows.length > most ? null : [...new Set(rows.map(({ id }) => id))];
}
