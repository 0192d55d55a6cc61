import pg from 'pg';

/**
 * Contents of a list of events: pushes, closed issues and comments on issues, evenly over the
 * months until now.
 * @typedef {object} Filling
 * @property {number} events
 * @property {number} months
 * @property {number} projects made beside `projectId`, private ones in groups of twenty
 * @property {number} authors people who act in turn
 * @property {number} projectId takes every tenth event, all of them without other projects
 */

const USERS_SQL = `
  INSERT INTO users (username, name, email, confirmed_at)
  SELECT 'author' || n, 'Author ' || n, 'author' || n || '@example.com', now()
  FROM generate_series(1, $1::int) n RETURNING id`;

const GROUPS_SQL = `
  WITH made AS (
    INSERT INTO namespaces (kind, name, path, full_path, full_name)
    SELECT 'group', 'bench' || n, 'bench' || n, 'bench' || n, 'bench' || n
    FROM generate_series(1, $1::int) n RETURNING id)
  INSERT INTO groups (id, visibility, repository_storage) SELECT id, 0, 'default' FROM made
  RETURNING id`;

const PROJECTS_SQL = `
  INSERT INTO projects (namespace_id, name, path, visibility, repository_storage)
  SELECT ($2::bigint[])[1 + n / 20], 'project' || n, 'project' || n, 0, 'default'
  FROM generate_series(0, $1::int - 1) n RETURNING id`;

const ISSUES_SQL = `
  INSERT INTO issues (project_id, iid, author_id, title, confidential)
  SELECT p.id, 1000000 + n, ($2::bigint[])[1 + n % array_length($2::bigint[], 1)], 'Issue ' || n, n % 10 = 0
  FROM unnest($1::bigint[]) p (id), generate_series(1, $3::int) n RETURNING id, project_id`;

const NOTES_SQL = `
  INSERT INTO notes (issue_id, author_id, body, internal)
  SELECT i.id, i.author_id, 'A comment of some length on issue ' || i.id, i.id % 7 = 0
  FROM issues i`;

/** The pattern repeats after a million events, so that a project's events are spread over time. */
const EVENTS_SQL = `
  WITH places AS MATERIALIZED (
    SELECT row_number() OVER (ORDER BY i.project_id <> $1, i.project_id) - 1 AS number, i.project_id,
      array_agg(i.id ORDER BY i.id) AS issues, array_agg(t.id ORDER BY i.id) AS notes
    FROM issues i JOIN notes t ON t.issue_id = i.id GROUP BY i.project_id)
  INSERT INTO events (created_at, project_id, author_id, action, target_type, target_id,
    noteable_type, noteable_id, push_action, ref_type, ref, commit_from, commit_to, commit_count,
    commit_title)
  SELECT date_trunc('milliseconds', now() - $5::interval * (1 - n / $3::float8)), p.project_id,
    ($4::bigint[])[1 + k % array_length($4::bigint[], 1)],
    (ARRAY[5, 5, 3, 6, 6])[1 + kind], (ARRAY[NULL, NULL, 1, 4, 4])[1 + kind],
    CASE WHEN kind = 2 THEN issue WHEN kind > 2 THEN note END,
    CASE WHEN kind > 2 THEN 1 END, CASE WHEN kind > 2 THEN issue END,
    CASE WHEN kind < 2 THEN 2 END, CASE WHEN kind < 2 THEN 0 END, CASE WHEN kind < 2 THEN 'main' END,
    CASE WHEN kind < 2 THEN repeat('a', 40) END, CASE WHEN kind < 2 THEN repeat('b', 40) END,
    CASE WHEN kind < 2 THEN 1 END, CASE WHEN kind < 2 THEN 'Change something in the code' END
  FROM (SELECT n, k, k % 5 AS kind, CASE WHEN n % 10 = 0 THEN 0 ELSE k % $2::int END AS place
        FROM (SELECT n, (n::bigint * 7919 % 1000003)::int AS k
              FROM generate_series(1, $3::int) n) numbered) planned
    JOIN places p ON p.number = place
    CROSS JOIN LATERAL (SELECT p.issues[1 + k % array_length(p.issues, 1)] AS issue,
      p.notes[1 + k % array_length(p.notes, 1)] AS note) about
  ORDER BY n`;

/**
 * Fills the tables in one go; indexes of events are made afterwards.
 * @param {string} databaseUrl
 * @param {Filling} filling
 * @returns {Promise<{ groupIds: number[], projectIds: number[], authorIds: number[] }>}
 */
export async function fillEvents(databaseUrl, filling) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await fill(client, filling);
  } finally {
    await client.end();
  }
}

/**
 * @param {import('pg').Client} client
 * @param {Filling} filling
 */
async function fill(client, { events, months, projects, authors, projectId }) {
  /** @param {string} text @param {unknown[]} values @returns {Promise<number[]>} */
  const ids = async (text, values) =>
    (await client.query(text, values)).rows.map(({ id }) => Number(id));
  await client.query(`SET synchronous_commit = off;
    SELECT ensure_events_partitions((now() - interval '${months} months')::date, now()::date)`);
  const authorIds = await ids(USERS_SQL, [authors]);
  const groupIds = await ids(GROUPS_SQL, [Math.ceil(projects / 20)]);
  await client.query('UPDATE namespaces SET traversal_ids = ARRAY[id] WHERE id = ANY($1)', [
    groupIds,
  ]);
  const projectIds = await ids(PROJECTS_SQL, [projects, groupIds]);
  const all = [projectId, ...projectIds];
  await ids(ISSUES_SQL, [all, authorIds, 100]);
  await client.query(NOTES_SQL);
  await withoutIndexes(client, async () => {
    const span = `${months * 30} days`;
    await client.query(EVENTS_SQL, [projectId, all.length, events, authorIds, span]);
  });
  await client.query('VACUUM ANALYZE');
  return { groupIds, projectIds, authorIds };
}

/**
 * @param {import('pg').Client} client
 * @param {() => Promise<void>} work
 */
async function withoutIndexes(client, work) {
  const { rows } = await client.query(`SELECT indexrelid::regclass AS name,
    replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
    FROM pg_index WHERE indrelid = 'events'::regclass AND NOT indisprimary`);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await work();
  for (const { definition } of rows) await client.query(definition);
}
