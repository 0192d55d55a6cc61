import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg, { type PoolClient, type QueryConfig } from 'pg';
import { EVENT_ACTIONS, EVENT_TARGETS } from '../../src/core/activity/event.entity.js';
import { TODO_ACTIONS } from '../../src/core/activity/todo.entity.js';
import { poolOf } from '../../src/core/sql/pg-driver.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import {
  clientFields,
  makeApplication,
  makeGrant,
  postToken,
  type MadeApplication,
} from '../support/oauth-factories.js';
import { signedIn, type PageClient } from '../support/page-client.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

/** Everything belongs to others: PostgreSQL expects more of a user or project than it finds. */
const FILL_SQL = `
  WITH made AS (
    INSERT INTO issues (project_id, iid, author_id, title)
    SELECT $1, n, $2, 'Issue ' || n FROM generate_series(1, 20000) n RETURNING id),
  marked AS (
    INSERT INTO todos (user_id, author_id, project_id, action, issue_id)
    SELECT $2, $2, $1, ${TODO_ACTIONS.assigned}, id FROM made),
  recorded AS (
    INSERT INTO events (project_id, author_id, action, target_type, target_id)
    SELECT $1, $2, ${EVENT_ACTIONS.created}, ${EVENT_TARGETS.issue}, id FROM made)
  INSERT INTO merge_requests (project_id, iid, author_id, title, source_branch, target_branch,
    head_sha, base_sha)
  SELECT $1, n, $2, 'Change ' || n, 'change-' || n, 'main', repeat('a', 40), repeat('b', 40)
  FROM generate_series(1, 20000) n`;

/** Codes of earlier days: PostgreSQL expects none that is still valid. */
const ENDED_CODES_SQL = `
  INSERT INTO oauth_access_grants
    (code_digest, application_id, user_id, redirect_uri, scopes, auth_time, expires_at, used_at)
  SELECT sha256(n::text::bytea), $1, $2, 'https://client.example/', '{api}', now(), now(), now()
  FROM generate_series(1, 20000) n`;

const RUNS = 8;
/** PostgreSQL plans the first runs of a statement with their values, whatever it costs. */
const FIRST_RUNS = 5;

describe('the largest statement of a request', () => {
  let app: OwnTestApp;
  let ann: MadeActor;
  let browser: PageClient;
  let project: MadeProject;
  let client: MadeApplication;
  let noted: QueryConfig[] = [];

  beforeAll(async () => {
    app = await startTestApp();
    const busy = await makeActor(app);
    ann = await makeActor(app);
    browser = await signedIn(app, ann.user);
    const large = await makeProject(app, { namespaceId: busy.user.namespaceId });
    project = await makeProject(app, { namespaceId: ann.user.namespaceId });
    await app.dataSource.query(FILL_SQL, [large.id, busy.user.id]);
    client = await makeApplication(app);
    await app.dataSource.query(ENDED_CODES_SQL, [client.id, busy.user.id]);
    await app.dataSource.query('ANALYZE');
    poolOf(app.dataSource).on('acquire', noteStatements);
  });
  afterAll(() => app.close());

  /** Notes the named statements of a connection before it runs them. */
  function noteStatements(client: PoolClient): void {
    if (Object.hasOwn(client, 'query')) return;
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const noting = (first: string | QueryConfig, ...others: unknown[]): unknown => {
      if (typeof first === 'object') noted.push(first);
      return query(first, ...others);
    };
    Object.assign(client, { query: noting });
  }

  function largestNoted(): QueryConfig {
    const [largest] = noted.toSorted((one, other) => other.text.length - one.text.length);
    return largest ?? { text: '' };
  }

  /** Returns how often PostgreSQL plans the statement in `RUNS` runs of one connection. */
  async function plansOf({ text, values = [] }: QueryConfig): Promise<number> {
    const client = new pg.Client({ connectionString: app.config.databaseUrl });
    await client.connect();
    try {
      await client.query('SET plan_cache_mode = auto');
      for (let run = 0; run < RUNS; run += 1) {
        await client.query({ name: 'measured', text, values });
      }
      const { rows } = await client.query<{ made: number }>(
        'SELECT custom_plans::int AS made FROM pg_prepared_statements',
      );
      return rows[0]?.made ?? 0;
    } finally {
      await client.end();
    }
  }

  it.each([
    ['a list of own events', () => ann.api.get('/events')],
    ['a list of to-dos', () => ann.api.get('/todos')],
    ['the events of a project', () => ann.api.get(`/projects/${project.id}/events`)],
    ['the issues of a project', () => ann.api.get(`/projects/${project.id}/issues`)],
    ['its merge requests', () => ann.api.get(`/projects/${project.id}/merge_requests`)],
    ['the frame of a page', () => browser.get('/-/user_settings/preferences')],
    ['the frame of a project', () => browser.get(`/${project.fullPath}/-/labels`)],
  ])('is planned once per connection: %s', async (_, ask) => {
    noted = [];
    await ask().expect(200);
    expect(await plansOf(largestNoted())).toBe(FIRST_RUNS);
  });

  it('finds a code that is exchanged by its id, and reads no others that are valid', async () => {
    const code = await makeGrant(app, { application: client, user: ann.user });
    noted = [];
    const { redirectUri } = client;
    const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    await postToken(app, { ...fields, ...clientFields(client) }).expect(200);
    const { text, values = [] } = largestNoted();
    const rows = await app.dataSource.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('pk_oauth_access_grants');
    expect(plan).not.toContain('ix_oauth_access_grants_expires_at');
  });
});
