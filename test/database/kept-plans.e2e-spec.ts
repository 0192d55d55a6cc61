import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, PoolClient, QueryConfig } from 'pg';
import { withConnection } from '../../src/cli/cli.repository.js';
import { EVENT_ACTIONS, EVENT_TARGETS } from '../../src/core/activity/event.entity.js';
import { TODO_ACTIONS } from '../../src/core/activity/todos.repository.js';
import { poolOf } from '../../src/core/sql/pg-driver.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeUser, type MadeActor } from '../support/factories.js';
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
  SELECT count(*) FROM made`;

const TODO_SQL = `
  INSERT INTO todos (user_id, author_id, project_id, action, issue_id)
  SELECT $2, $2, $1, ${TODO_ACTIONS.assigned}, max(id) FROM issues WHERE project_id = $1`;

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
  let admin: PageClient;
  let project: MadeProject;
  let application: MadeApplication;
  let noted: QueryConfig[] = [];

  beforeAll(async () => {
    app = await startTestApp();
    const busy = await makeActor(app);
    ann = await makeActor(app);
    browser = await signedIn(app, ann.user);
    admin = await signedIn(app, await makeUser(app, { admin: true }));
    const large = await makeProject(app, { namespaceId: busy.user.namespaceId });
    project = await makeProject(app, { namespaceId: ann.user.namespaceId });
    application = await makeApplication(app);
    // Statements of the application are limited to the time of a request.
    await withConnection(app.config.databaseUrl, async (client) => {
      await client.query(FILL_SQL, [large.id, busy.user.id]);
      await client.query(TODO_SQL, [large.id, ann.user.id]);
      await client.query(ENDED_CODES_SQL, [application.id, busy.user.id]);
      await client.query('ANALYZE');
    });
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
    if (largest === undefined) throw new Error('The request ran no named statement');
    return largest;
  }

  /** A connection that plans as in production; the tests' own keep every plan. */
  function withPlanner<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return withConnection(app.config.databaseUrl, async (client) => {
      await client.query('SET plan_cache_mode = auto');
      return work(client);
    });
  }

  /** Returns how often PostgreSQL plans the statement in `RUNS` runs of one connection. */
  function plansOf({ text, values = [] }: QueryConfig): Promise<number | undefined> {
    return withPlanner(async (client) => {
      for (let run = 0; run < RUNS; run += 1) {
        await client.query({ name: 'measured', text, values });
      }
      const { rows } = await client.query<{ made: number }>(
        'SELECT custom_plans::int AS made FROM pg_prepared_statements',
      );
      return rows[0]?.made;
    });
  }

  function planOf({ text, values = [] }: QueryConfig): Promise<string> {
    return withPlanner(async (client) => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
  }

  it.each([
    ['a list of own events', () => ann.api.get('/events')],
    ['the events of a project', () => ann.api.get(`/projects/${project.id}/events`)],
    ['a list of to-dos', () => ann.api.get('/todos')],
    ['the to-dos in the frame of a page', () => browser.get('/-/user_settings/preferences')],
  ])('is planned once per connection: %s', async (_, ask) => {
    noted = [];
    await ask().expect(200);
    expect(await plansOf(largestNoted())).toBe(FIRST_RUNS);
  });

  it.each([
    ['a member', () => browser],
    ['an administrator', () => admin],
  ])(
    'counts open issues and to-dos by their indexes in the frame of a page for %s',
    async (_, of) => {
      noted = [];
      await of().get(`/${project.fullPath}/-/labels`).expect(200);
      const frame = noted.find(({ text }) => text.includes('AS latest'));
      const plan = await planOf(frame ?? { text: '' });
      for (const index of ['issues_opened', 'issues_opened_confidential', 'todos_user']) {
        expect(plan).toContain(`ix_${index}`);
      }
    },
  );

  it('reads no code but the one that is exchanged', async () => {
    const code = await makeGrant(app, { application, user: ann.user });
    noted = [];
    const { redirectUri } = application;
    const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    await postToken(app, { ...fields, ...clientFields(application) }).expect(200);
    const plan = await planOf(largestNoted());
    expect(plan).toContain('pk_oauth_access_grants');
    expect(plan).not.toContain('ix_oauth_access_grants_expires_at');
  });
});
