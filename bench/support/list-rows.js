import pg from 'pg';

/** Users, groups, projects, members, issues and merge requests: two pages of each. */
const COUNT = 40;

const USERS_SQL = `
  INSERT INTO users (username, name, email, bio, location, organization, job_title, confirmed_at)
  SELECT 'person' || n, 'Person ' || n, 'person' || n || '@example.com', 'Writes programs',
    'Hamburg', 'Example', 'Engineer', now()
  FROM generate_series(1, $1::int) n RETURNING id`;

const GROUPS_SQL = `
  WITH made AS (
    INSERT INTO namespaces (kind, name, path, full_path, full_name)
    SELECT 'group', 'Group ' || n, 'group' || n, 'group' || n, 'Group ' || n
    FROM generate_series(1, $1::int) n RETURNING id)
  INSERT INTO groups (id, description, visibility, repository_storage)
  SELECT id, 'Builds and runs a part of the shop', 0, 'default' FROM made RETURNING id`;

const TREE_SQL = `UPDATE namespaces SET traversal_ids = ARRAY[id] WHERE id = ANY($1::bigint[])`;

const PROJECTS_SQL = `
  INSERT INTO projects (namespace_id, name, path, description, topics, default_branch, empty_repo,
    visibility, repository_storage)
  SELECT ($2::bigint[])[n], 'Project ' || n, 'project' || n, 'A part of the shop', '{shop,web}',
    'main', false, 0, 'default'
  FROM generate_series(1, $1::int) n`;

const MEMBERS_SQL = `
  INSERT INTO members (project_id, user_id, access_level, created_by_id)
  SELECT $1, person, 30, 1 FROM unnest($2::bigint[]) person`;

const ISSUES_SQL = `
  WITH made AS (
    INSERT INTO issues (project_id, iid, author_id, title, description, labels)
    SELECT $1, n, ($2::bigint[])[n], 'The cart is empty after signing in ' || n,
      repeat('Sign in with a full cart and look at it. ', 5), '{bug,cart}'
    FROM generate_series(1, array_length($2::bigint[], 1)) n RETURNING id, author_id)
  INSERT INTO issue_assignees (issue_id, user_id) SELECT id, author_id FROM made`;

const MERGE_REQUESTS_SQL = `
  WITH made AS (
    INSERT INTO merge_requests (project_id, iid, author_id, title, description, labels,
      source_branch, target_branch, head_sha, base_sha, merge_status)
    SELECT $1, n, ($2::bigint[])[n], 'Keep the cart of users who sign in ' || n,
      repeat('The cart of a session becomes that of the user. ', 4), '{cart}', 'cart-' || n, 'main',
      repeat('a', 40), repeat('b', 40), 'can_be_merged'
    FROM generate_series(1, array_length($2::bigint[], 1)) n RETURNING id, author_id)
  INSERT INTO merge_request_people (merge_request_id, user_id, role)
  SELECT id, author_id, 'assignee' FROM made`;

/**
 * Fills the lists of the instance and of one project.
 * @param {string} databaseUrl
 * @param {number} projectId
 */
export async function fillLists(databaseUrl, projectId) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  /** @param {string} text */
  const made = async (text) => (await client.query(text, [COUNT])).rows.map(({ id }) => Number(id));
  const people = await made(USERS_SQL);
  const groups = await made(GROUPS_SQL);
  await client.query(TREE_SQL, [groups]);
  await client.query(PROJECTS_SQL, [COUNT, groups]);
  for (const text of [MEMBERS_SQL, ISSUES_SQL, MERGE_REQUESTS_SQL]) {
    await client.query(text, [projectId, people]);
  }
  await client.query('VACUUM ANALYZE');
  await client.end();
}
