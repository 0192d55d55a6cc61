import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { poolOf } from '../../src/core/sql/pg-driver.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { signedIn, type PageClient } from '../support/page-client.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';

/** Rows of each table that the viewer has nothing to do with. */
const OTHERS = 3_000;

/** Rows that a statement may read in vain: pages are found without looking at all others. */
const MOST_IN_VAIN = OTHERS / 2;

const FILL_SQL = `
  INSERT INTO users (username, name, email, confirmed_at)
  SELECT 'other-' || n, 'Other ' || n, 'other' || n || '@example.com', now()
  FROM generate_series(1, ${OTHERS}) n;
  INSERT INTO namespaces (kind, name, path, full_path, full_name)
  SELECT 'group', 'Other ' || n, 'others-' || n, 'others-' || n, 'Other ' || n
  FROM generate_series(1, ${OTHERS}) n;
  UPDATE namespaces SET traversal_ids = ARRAY[id] WHERE path LIKE 'others-%';
  INSERT INTO groups (id, repository_storage)
  SELECT id, 'default' FROM namespaces WHERE path LIKE 'others-%';
  INSERT INTO projects (namespace_id, name, path, description, repository_storage)
  SELECT id, name, path, 'Part of the shop', 'default' FROM namespaces WHERE path LIKE 'others-%';`;

/** Issues and merge requests of a project `$1` by an author `$2`. */
const FILL_PROJECT_SQL = [
  `INSERT INTO issues (project_id, iid, author_id, title, description)
    SELECT $1, n, $2, 'Issue ' || n, 'It breaks' FROM generate_series(1, ${OTHERS}) n`,
  `INSERT INTO merge_requests (project_id, iid, author_id, title, description, source_branch,
      target_branch, head_sha, base_sha)
    SELECT $1, n, $2, 'Change ' || n, 'It works', 'change-' || n, 'main', '', ''
    FROM generate_series(1, ${OTHERS}) n`,
  `INSERT INTO errors (project_id, type, value, culprit, platform, level, first_seen_at,
      last_seen_at, events_count, search_text, sampled_day, sampled_count)
    SELECT $1, 'TypeError', 'Cart ' || n, 'checkout', 'node', 4, now(), now(), $2, 'cart ' || n,
      current_date, 1 FROM generate_series(1, ${OTHERS}) n`,
];

/** Subgroups of a group `$1`, each with a project. */
const FILL_GROUP_SQL = `
  WITH made AS (
    INSERT INTO namespaces (kind, parent_id, name, path, full_path, full_name)
    SELECT 'group', $1, 'Part ' || n, 'part-' || n, 'parts/part-' || n, 'Part ' || n
    FROM generate_series(1, ${OTHERS}) n RETURNING id
  ), part AS (INSERT INTO groups (id, repository_storage) SELECT id, 'default' FROM made)
  INSERT INTO projects (namespace_id, name, path, repository_storage)
  SELECT id, 'Part', 'part', 'default' FROM made`;

/** As many events of a project `$1` as of all others, by an author `$2`. */
const FILL_EVENTS_SQL = `
  INSERT INTO events (project_id, author_id, action, target_type, target_id, created_at)
  SELECT project, $2, 8, 5, project, now() - interval '1 day'
  FROM (SELECT id AS project FROM projects WHERE path LIKE 'others-%'
    UNION ALL SELECT $1 FROM generate_series(1, ${OTHERS})) filled`;

/** Plans depend on what is known of the tables, and on words that still wait for their index. */
const TIDY_SQL = `VACUUM (ANALYZE) users, namespaces, groups, projects, issues, merge_requests,
  errors, error_texts`;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

/** Names of the tables of which the statement read most rows in vain. */
function walkedTables(plan: Plan): string[] {
  const inVain = (plan['Rows Removed by Filter'] ?? 0) * plan['Actual Loops'];
  const own = inVain > MOST_IN_VAIN ? [plan['Relation Name'] ?? plan['Node Type']] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(walkedTables)];
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

describe('lists of what a user has', () => {
  let app: OwnTestApp;
  let viewer: MadeActor;
  let other: MadeActor;
  let errorsPath: string;
  beforeAll(async () => {
    app = await startTestApp();
    viewer = await makeActor(app);
    const group = await makeGroup(app);
    await makeMember(app, { group, user: viewer.user, role: 'developer' });
    await makeProject(app, { namespaceId: group.id });
    await app.dataSource.query(FILL_SQL);
    other = await makeActor(app);
    const { id } = await makeProject(app, { namespaceId: other.user.namespaceId });
    errorsPath = `/projects/${id}/error_tracking/errors`;
    for (const sql of FILL_PROJECT_SQL) await app.dataSource.query(sql, [id, other.user.id]);
    await app.dataSource.query(TIDY_SQL);
  }, 30_000);
  afterAll(() => app.close());

  let statements: { text: string; values: unknown[]; isPrepared: boolean }[] = [];
  function note(client: PoolClient): void {
    if (Object.hasOwn(client, 'query')) return;
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    type Statement = { text: string; values?: unknown[]; name?: string };
    const noting = (first: string | Statement, ...others: unknown[]) => {
      const text = typeof first === 'string' ? first : first.text;
      const values = typeof first === 'string' ? others[0] : first.values;
      const isPrepared = typeof first !== 'string' && first.name !== undefined;
      if (/^\s*(SELECT|WITH)\b/.test(text)) {
        statements.push({ text, values: Array.isArray(values) ? values : [], isPrepared });
      }
      return query(first, ...others);
    };
    Object.assign(client, { query: noting });
  }

  /** Returns the plans of the statements that a request runs, with what they did. */
  async function plansOf(
    path: string,
    settings: string,
    reader: Pick<PageClient, 'get'> | MadeActor = viewer,
  ): Promise<Plan[]> {
    const pool = poolOf(app.dataSource);
    pool.on('acquire', note);
    statements = [];
    await ('api' in reader ? reader.api : reader).get(path).expect(200);
    pool.off('acquire', note);
    const ran = [...statements];
    expect(ran.length).toBeGreaterThan(0);
    const client = await pool.connect();
    try {
      const plans: Plan[] = [];
      await client.query(settings);
      for (const { text, values } of ran) {
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          values,
        );
        plans.push(...rows.map((row) => row['QUERY PLAN'][0].Plan));
      }
      return plans;
    } finally {
      client.release(true);
    }
  }

  /** Returns the plan of a statement for any values. */
  async function genericPlan({
    text,
    values,
  }: {
    text: string;
    values: unknown[];
  }): Promise<Plan[]> {
    const client = await poolOf(app.dataSource).connect();
    try {
      await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE listed AS ${text}`);
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (FORMAT JSON) EXECUTE listed (${values.map(() => 'NULL').join(', ')})`,
      );
      return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
    } finally {
      client.release(true);
    }
  }

  it.each([
    '/projects?membership=true',
    '/projects?owned=true&order_by=name',
    '/projects?min_access_level=20&order_by=last_activity_at',
    '/groups?all_available=false',
    '/groups?owned=true',
    '/events?scope=all',
  ])('read few rows of others: %s', async (path) => {
    // So few rows are read from end to end sooner; more are not.
    const plans = await plansOf(path, 'SET enable_seqscan = off');
    expect(plans.flatMap(walkedTables)).toEqual([]);
  });

  // Leaves indexes of words, which only bitmaps are made of.
  const BITMAPS =
    'SET enable_seqscan = off; SET enable_indexscan = off; SET enable_indexonlyscan = off';

  it.each(['projects', 'users', 'issues?scope=all', 'merge_requests?scope=all'])(
    'find words by an index: %s',
    async (list) => {
      const path = `/${list}${list.includes('?') ? '&' : '?'}search=xylophone`;
      const plans = await plansOf(path, BITMAPS);
      expect(plans.flatMap(walkedTables)).toEqual([]);
    },
  );

  it.each(['unresolved', 'all'])('find words of errors by an index: %s', async (status) => {
    const path = `${errorsPath}?status=${status}&search=xylophone`;
    const plans = await plansOf(path, BITMAPS, other);
    expect(plans.flatMap(walkedTables)).toEqual([]);
  });

  it.each(['environment=staging', 'release=1.5', 'search=cart'])(
    'plan errors for the value of a filter: %s',
    async (filter) => {
      await plansOf(`${errorsPath}?${filter}`, 'SET enable_seqscan = off', other);
      const lists = statements.filter(({ text }) => /\berror_(tags|texts) t\b/.test(text));
      expect(lists.map(({ isPrepared }) => isPrepared)).toEqual([false]);
    },
  );

  it('read the latest events of any project by the index of their order', async () => {
    const { id } = await makeProject(app, { namespaceId: other.user.namespaceId });
    await app.dataSource.query(FILL_EVENTS_SQL, [id, other.user.id]);
    await app.dataSource.query('ANALYZE events');
    await plansOf(`/projects/${id}/events`, 'SELECT 1', other);
    const [list] = statements.filter(({ text }) => /FROM events e\b/.test(text));
    if (list === undefined) throw new Error('no list of events was read');
    const limit = (await genericPlan(list)).find((node) => node['Node Type'] === 'Limit');
    if (limit === undefined) throw new Error('the list has no limit');
    expect(nodesOf(limit).filter((node) => node['Node Type'] === 'Sort')).toEqual([]);
  });

  it('count open merge requests without the merged ones', async () => {
    const project = await makeProject(app, { namespaceId: other.user.namespaceId });
    await app.dataSource.query(
      `INSERT INTO merge_requests (project_id, iid, author_id, title, source_branch, target_branch,
         head_sha, base_sha, state, merged_at)
       SELECT $1, n, $2, 'Change ' || n, 'change-' || n, 'main', '', '', 'merged', now()
       FROM generate_series(1, ${OTHERS}) n`,
      [project.id, other.user.id],
    );
    await app.dataSource.query(TIDY_SQL);
    const path = `/${project.fullPath}/-/merge_requests`;
    const plans = await plansOf(path, 'SELECT 1', await signedIn(app, other.user));
    const indexes = plans.flatMap(nodesOf).map((node) => node['Index Name']);
    expect(indexes).toContain('uq_merge_requests_open');
  });

  it('name users without projects, and do not count too many', async () => {
    const admin = await makeAdmin(app);
    const path = '/users?without_projects=true&order_by=id&sort=asc&per_page=1';
    const few = await admin.api.get(path).expect(200);
    expect(Number(few.headers['x-total'])).toBeGreaterThanOrEqual(OTHERS);
    await app.dataSource.query(
      `INSERT INTO users (username, name, email, confirmed_at)
       SELECT 'idle-' || n, 'Idle ' || n, 'idle' || n || '@example.com', now()
       FROM generate_series(1, 10000) n`,
    );
    const many = await admin.api.get(path).expect(200);
    expect(many.body).toEqual(few.body);
    expect(many.headers).toMatchObject({ 'x-next-page': '2' });
    expect(many.headers).not.toHaveProperty('x-total');
  });

  it('join those changed last with their projects', async () => {
    const owner = await makeActor(app);
    const project = await makeProject(app, {
      namespaceId: owner.user.namespaceId,
      visibility: 'internal',
    });
    await app.dataSource.query(
      `INSERT INTO issues (project_id, iid, author_id, title, description, updated_at)
       SELECT $1, n, $2, 'Issue ' || n, '', now() + n * interval '1 minute'
       FROM generate_series(1, 10001) n`,
      [project.id, owner.user.id],
    );
    await app.dataSource.query(TIDY_SQL);
    const path = '/issues?scope=all&order_by=updated_at';
    const counted = await viewer.api.get(path).expect(200);
    const plans = await plansOf(path, 'SET jit = off');
    const joins = plans.flatMap(nodesOf).filter((node) => /Join|Loop/.test(node['Node Type']));
    const rows = joins.map((node) => node['Actual Rows'] * node['Actual Loops']);
    expect(rows.filter((number) => number > 2 * OTHERS)).toEqual([]);
    expect((await viewer.api.get(path).expect(200)).body).toEqual(counted.body);
  });

  it('read no more projects below a group than they can name', async () => {
    const owner = await makeActor(app);
    const group = await makeGroup(app);
    await makeMember(app, { group, user: owner.user, role: 'owner' });
    await app.dataSource.query(FILL_GROUP_SQL, [group.id]);
    await app.dataSource.query(
      'UPDATE namespaces SET traversal_ids = ARRAY[parent_id, id] WHERE parent_id = $1',
      [group.id],
    );
    await app.dataSource.query(TIDY_SQL);
    const plans = await plansOf('/projects?owned=true', BITMAPS, owner);
    const naming = plans.filter((plan) => plan.Plans?.[0]?.['Node Type'] === 'Append');
    expect(naming).toHaveLength(1);
    const rows = naming.flatMap(nodesOf).map((node) => node['Actual Rows'] * node['Actual Loops']);
    expect(Math.max(...rows)).toBeLessThan(MOST_IN_VAIN);
  });
});
