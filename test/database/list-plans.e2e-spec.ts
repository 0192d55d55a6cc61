import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { poolOf } from '../../src/core/sql/pg-driver.js';
import { Asker, forAll } from '../access/ask.js';
import type { Operation } from '../access/operation.js';
import { POLICY } from '../access/policy.js';
import { makeWorld, type World } from '../access/world.js';
import { ApiDescription } from '../fuzz/api-description.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';

/** Tables that stay small: a row per setting, storage, batch or day, or none once the work is done. */
const SMALL = new Set([
  'alert_reactions',
  'alert_silences',
  'application_settings',
  'mail_days',
  'notifications',
  'oauth_signing_keys',
  'repository_trash',
  'storage_move_batches',
  'storage_settings',
  'worker_heartbeats',
]);

/** Nodes that need all rows of what is below them before they return their first. */
const BLOCKING = new Set(['Sort', 'Aggregate', 'Hash']);

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** Names of tables that the plan reads from end to end, not just until a page is full. */
function tablesReadWhole(plan: Plan, isBounded = false): string[] {
  const type = plan['Node Type'];
  const own = type === 'Seq Scan' && !isBounded ? [plan['Relation Name'] ?? ''] : [];
  const isBoundedBelow = type === 'Limit' || (isBounded && !BLOCKING.has(type));
  return [...own, ...(plan.Plans ?? []).flatMap((below) => tablesReadWhole(below, isBoundedBelow))];
}

describe('the lists of the API', () => {
  let app: OwnTestApp;
  let world: World;
  beforeAll(async () => {
    app = await startTestApp();
    world = await makeWorld(app);
  }, 60_000);
  afterAll(() => app.close());

  const description = new ApiDescription();

  /** The path of an operation, alone and with each value of its query parameters that have a choice. */
  function pathsOf({ route, path }: Operation): string[] {
    const own = path(world.places.internal);
    const described = `/api/v4${route.slice('GET '.length).replaceAll(/:(\w+)/g, '{$1}')}`;
    const operation = description.operations.find(
      (one) => one.method === 'GET' && one.path === described,
    );
    const choices = (operation?.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, schema }) =>
        (schema.enum ?? []).map((value) => `${name}=${String(value)}`),
      );
    return [own, ...choices.map((choice) => `${own}${own.includes('?') ? '&' : '?'}${choice}`)];
  }

  /** Asks for all of them; returns the statements with the first request that ran each. */
  async function statementsOfLists(): Promise<Map<string, string>> {
    const statements = new Map<string, string>();
    let current = '';
    const note = (client: PoolClient): void => {
      if (Object.hasOwn(client, 'query')) return;
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      const noting = (first: string | { text: string }, ...others: unknown[]): unknown => {
        const text = typeof first === 'string' ? first : first.text;
        if (/^\s*(SELECT|WITH)\b/.test(text) && !statements.has(text))
          statements.set(text, current);
        return query(first, ...others);
      };
      Object.assign(client, { query: noting });
    };
    const pool = poolOf(app.dataSource);
    pool.on('acquire', note);
    const asker = new Asker(app.url);
    const reads = POLICY.filter(({ route }) => route.startsWith('GET '));
    for (const operation of reads) {
      for (const path of pathsOf(operation)) {
        current = `GET ${path}`;
        await forAll(['developer', 'admin'] as const, (actor) =>
          asker.ask(
            { ...operation, path: () => path },
            world.places.internal,
            world.present(actor, 'personal'),
          ),
        );
      }
    }
    pool.off('acquire', note);
    asker.close();
    return statements;
  }

  /** Returns the plan for any values, which reads a whole table only if no index serves. */
  async function planOf(client: PoolClient, statement: string): Promise<Plan> {
    const numbers = [...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
    const values = Array.from({ length: Math.max(0, ...numbers) }, () => 'NULL').join(', ');
    await client.query(`PREPARE listed AS ${statement}`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE listed${values === '' ? '' : `(${values})`}`,
    );
    await client.query('DEALLOCATE listed');
    const [first] = rows;
    if (first === undefined) throw new Error('There is no plan');
    return first['QUERY PLAN'][0].Plan;
  }

  it('read no table whole that grows', async () => {
    const statements = await statementsOfLists();
    expect(statements.size).toBeGreaterThan(150);
    const client = await poolOf(app.dataSource).connect();
    const found: string[] = [];
    try {
      await client.query('SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan');
      for (const [statement, request] of statements) {
        const tables = tablesReadWhole(await planOf(client, statement));
        found.push(
          ...tables.filter((name) => !SMALL.has(name)).map((name) => `${request}: ${name}`),
        );
      }
    } finally {
      client.release(true);
    }
    expect(found).toEqual([]);
  }, 120_000);
});
