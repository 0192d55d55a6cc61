import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { freshPart, keepable, type JsonItem } from '../pagination/json-items.js';
import { mapPage, type Page } from '../pagination/page.js';
import type { Paging } from '../pagination/paging.decorator.js';
import { keyedRowsSql, PAGE_KEYS, type ListQuery } from './list-query.js';
import { Sql } from './sql.service.js';

const MEBIBYTE = 1024 * 1024;

/** Longer items are not kept: `listedText` can have truncated them for the sake of their page. */
const MAX_ITEM_BYTES = 8_000;

/** Memory of an entry beside its bytes: name, digest and objects. */
const ENTRY_BYTES = 300;

/**
 * Transaction numbers name a version of a row, and come round after four billion transactions, or
 * sooner after a failover that lost some.
 */
const MAX_AGE_MS = 10 * 60_000;

/** A list whose items are serialized once for each version of the rows that they are made of. */
export interface VersionedQuery extends ListQuery {
  /** SQL for the number that names an item among all of its kind. */
  id: string;
  /** SQL for a text that differs whenever one of these rows does, such as `rowVersion` returns it. */
  version: string;
  /**
   * Joins that only `version` needs, for rows that belong to several items at once: read for the page
   * together, they cost a fraction of look-ups by item. `ids` is SQL for the array of its ids.
   */
  versionJoins?: (ids: string) => string;
  /** Columns that are read for each request: counts, and what depends on the viewer or on time. */
  fresh: string;
}

/** Serialization of one kind of items; `Row` are the columns of `select`, `Fresh` those of `fresh`. */
export interface ItemFormat<Item, Row, Fresh> {
  name: string;
  /** Distinguishes the forms that viewers see; each is kept on its own. */
  form(fresh: Fresh): string;
  /** The members of the item that the version covers. */
  present(row: Row): object;
  /** The others, which come last. */
  presentFresh(fresh: Fresh): object;
  /** Exists in types only. */
  readonly item?: Item;
}

type Versioned<Fresh> = Fresh & { versionedId: number; rowVersion: string };

/**
 * Returns SQL for the version of rows, by the aliases of their tables: the transactions that wrote
 * them.
 */
export function rowVersion(...aliases: readonly string[]): string {
  return `concat(${aliases.map((alias) => `${alias}.xmin`).join(`, '.', `)})`;
}

/**
 * Reads pages of items that are JSON already. The statement of a page returns no more than keys,
 * versions and fresh columns; the other columns are read for items whose version is not at hand, so
 * that every change is visible at once in all processes.
 */
@Injectable()
export class JsonPages {
  private readonly kept = new LRUCache<string, JsonItem<never>['kept']>({
    maxSize: 12 * MEBIBYTE,
    maxEntrySize: MAX_ITEM_BYTES + ENTRY_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
    ttl: MAX_AGE_MS,
  });

  constructor(private readonly sql: Sql) {}

  /** One page of the list, as `Sql.page` reads it. */
  async page<Item, Row extends object, Fresh extends object>(
    query: VersionedQuery,
    paging: Paging,
    format: ItemFormat<Item, Row, Fresh>,
  ): Promise<Page<JsonItem<Item>>> {
    const joins = versionedJoins(query, PAGE_KEYS);
    const versions = { ...query, joins, select: versionColumns(query) };
    const page = await this.sql.page<Versioned<Fresh>>(versions, paging);
    const items = await this.itemsOf(page.items, query, format);
    if (items !== null) return { ...page, items };
    const whole = { ...versions, select: `${query.select}, ${versionColumns(query)}` };
    const read = await this.sql.page<Row & Versioned<Fresh>>(whole, paging);
    return mapPage(read, (row) => itemOf(row, this.keep(row, format), format));
  }

  /** Returns null if an item was changed, deleted or left the list before its columns were read. */
  private async itemsOf<Item, Row extends object, Fresh extends object>(
    rows: readonly Versioned<Fresh>[],
    query: VersionedQuery,
    format: ItemFormat<Item, Row, Fresh>,
  ): Promise<JsonItem<Item>[] | null> {
    const names = rows.map((row) => this.nameOf(row, format));
    const found = names.map((name) => this.kept.get(name));
    const missing = rows.filter((_, index) => found[index] === undefined);
    const read = missing.length === 0 ? null : await this.read(missing, query, format);
    const items = rows.flatMap((row, index) => {
      const kept = found[index] ?? read?.get(row.versionedId);
      return kept === undefined ? [] : [itemOf(row, kept, format)];
    });
    return items.length === rows.length ? items : null;
  }

  /**
   * Reads the columns of items together with their version, which may be a later one by now. Where
   * keys name the rows, whether they fit the list is not asked again: then it has to be the same.
   */
  private async read<Item, Row extends object, Fresh extends object>(
    missing: readonly Versioned<Fresh>[],
    query: VersionedQuery,
    format: ItemFormat<Item, Row, Fresh>,
  ): Promise<Map<number, JsonItem<never>['kept']>> {
    const { text, values } = missingStatement(query, missing);
    const rows = await (query.isSearch === true
      ? this.sql.searchRows<Row & Versioned<Fresh>>(text, values)
      : this.sql.rows<Row & Versioned<Fresh>>(text, values));
    const wanted = new Set(missing.map(({ rowVersion: version }) => version));
    const found =
      query.rows === undefined ? rows : rows.filter((row) => wanted.has(row.rowVersion));
    return new Map(found.map((row) => [row.versionedId, this.keep(row, format)]));
  }

  private keep<Item, Row extends object, Fresh extends object>(
    row: Row & Versioned<Fresh>,
    format: ItemFormat<Item, Row, Fresh>,
  ): JsonItem<never>['kept'] {
    const kept = keepable(format.present(row));
    this.kept.set(this.nameOf(row, format), kept);
    return kept;
  }

  private nameOf<Item, Row, Fresh>(
    row: Versioned<Fresh>,
    { name, form }: ItemFormat<Item, Row, Fresh>,
  ): string {
    return `${name} ${form(row)} ${row.versionedId} ${row.rowVersion}`;
  }
}

function itemOf<Item, Row, Fresh extends object>(
  row: Fresh,
  kept: JsonItem<never>['kept'],
  format: ItemFormat<Item, Row, Fresh>,
): JsonItem<Item> {
  return { kept, fresh: freshPart(format.presentFresh(row)) };
}

function versionedJoins({ joins = '', versionJoins }: VersionedQuery, ids: string): string {
  return versionJoins === undefined ? joins : `${joins} ${versionJoins(ids)}`;
}

function versionColumns({ id, version, fresh, rows }: VersionedQuery): string {
  const keys = Object.keys(rows?.columns ?? {}).map(
    (name) => `${rows?.alias}.${name} AS key_${name}`,
  );
  const columns = [`${id} AS "versionedId", ${version} AS "rowVersion"`, ...keys];
  return fresh === '' ? columns.join(', ') : `${columns.join(', ')}, ${fresh}`;
}

/** Returns the statement for the columns of items that are not at hand. */
function missingStatement(
  query: VersionedQuery,
  missing: readonly { versionedId: number }[],
): { text: string; values: unknown[] } {
  const { id, select, from, where, values, joinValues = [], rows } = query;
  const columns = `SELECT ${select}, ${versionColumns(query)}`;
  if (rows !== undefined) {
    const keys = Object.keys(rows.columns).map((name) =>
      missing.map((row) => (row as Record<string, unknown>)[`key_${name}`]),
    );
    return { text: `${columns} FROM ${keyedRowsSql(rows)} ${query.joins ?? ''}`, values: keys };
  }
  const given = [...values, ...joinValues];
  const ids = `$${given.length + 1}::bigint[]`;
  const text = `${columns} FROM ${typeof from === 'string' ? from : from('')}
    ${versionedJoins(query, ids)} WHERE ${where} AND ${id} = ANY(${ids})`;
  return { text, values: [...given, missing.map(({ versionedId }) => versionedId)] };
}
