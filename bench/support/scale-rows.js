import pg from 'pg';
import { bulkLoad, LOAD_CONNECTIONS } from './bulk-load.js';

/** Activity events by the name of a scale; all else is in proportion. */
export const SCALES = { '10k': 10_000, '100k': 100_000, '1m': 1_000_000, '10m': 10_000_000 };

/** Rows are numbered from here, so that those of a new instance keep their ids. */
const FIRST = 1_000;

/** Every eleventh namespace is a group. */
const groupId = (/** @type {string} */ number) => `(${FIRST + 1} + 11 * ((${number}) - 1))`;
const ownNamespaceId = (/** @type {string} */ user) =>
  `(${FIRST + 1} + (${user}) + ((${user}) - 1) / 10)`;

/** The project, error and group with the most rows, and the people who ask. */
export const KNOWN = {
  project: FIRST + 1,
  error: FIRST + 1,
  group: FIRST + 1,
  member: FIRST + 1,
  manager: FIRST + 2,
};

/**
 * Numbers of rows at a scale.
 * @param {number} events
 */
export function rowCounts(events) {
  return {
    events,
    alerts: events / 5,
    errorEvents: events / 2,
    errors: events / 20,
    users: events / 10,
    projects: events / 20,
    groups: events / 100,
    issues: events / 10,
    mergeRequests: events / 20,
    notes: events / 10,
    members: events / 5,
    groupMembers: events / 20,
    small: events / 50,
  };
}

/**
 * A tenth of most rows belongs to one project; others come the more often the lower their number is.
 * Everything is a function of a row's number: every run makes the same rows.
 * @param {ReturnType<typeof rowCounts>} counts
 */
const functionsSql = ({ projects }) => `
  CREATE FUNCTION bench_share(n bigint, seed int) RETURNS float8 IMMUTABLE LANGUAGE sql AS
    'SELECT (hashint8extended(n, seed) & 2147483647)::float8 / 2147483648';
  CREATE FUNCTION bench_pick(n bigint, seed int, size bigint) RETURNS bigint IMMUTABLE LANGUAGE sql AS
    'SELECT ${FIRST} + 1 + floor(size * bench_share(n, seed) * bench_share(n, seed))::bigint';
  CREATE FUNCTION bench_project(n bigint) RETURNS bigint IMMUTABLE LANGUAGE sql AS
    'SELECT CASE WHEN n = 1 OR bench_share(n, 11) < 0.1 THEN ${KNOWN.project}
       ELSE 1 + bench_pick(n, 12, ${projects - 1}) END';
  CREATE FUNCTION bench_word(n bigint, seed int) RETURNS text IMMUTABLE LANGUAGE sql AS
    $$SELECT CASE WHEN n % 5003 = 1 AND seed = 1 THEN 'Quetzal' ELSE
      ('{Cart,Payment,Login,Search,Invoice,Mail,Cache,Queue,Worker,Disk,Memory,Network,Database,Backup,Release,Deploy,Proxy,Metrics,Import,Export,Session,Token,Webhook,Report,Upload,Download,Editor,Viewer,Gateway,Scheduler,Billing,Catalog}'::text[])
      [1 + (hashint8extended(n, seed) & 31)] END$$;
  CREATE FUNCTION bench_time(n bigint, size bigint, days int) RETURNS timestamptz STABLE LANGUAGE sql AS
    'SELECT now() - days * interval ''1 day'' * power(1 - n::float8 / size, 2)';
  SELECT ensure_events_partitions((now() - interval '731 days')::date, now()::date);
  SELECT ensure_error_partition('error_events', 'expires_on', (now() AT TIME ZONE 'UTC')::date + ahead)
    FROM generate_series(0, 91) ahead;`;

const DROP_FUNCTIONS_SQL = `
  DROP FUNCTION bench_share, bench_pick, bench_project, bench_word, bench_time`;

/**
 * Statements by the table that they fill.
 * @param {ReturnType<typeof rowCounts>} counts
 */
function fillsOf(counts) {
  return new Map(
    Object.entries({ ...peopleFills(counts), ...workFills(counts), ...feedFills(counts) }),
  );
}

/** @param {ReturnType<typeof rowCounts>} counts */
function peopleFills({ users, groups, projects, members, groupMembers, small }) {
  const [tree, branches] = [groups / 10, groups / 100];
  const groupRow = `SELECT ${groupId('g')}, 'group', parent.id,
    initcap(bench_word(g, 1)) || ' ' || g, 'group-' || g,
    concat_ws('/', parent.full_path, 'group-' || g),
    concat_ws(' / ', parent.full_name, initcap(bench_word(g, 1)) || ' ' || g),
    parent.traversal_ids || ${groupId('g')}`;
  const into = `INSERT INTO namespaces
    (id, kind, parent_id, name, path, full_path, full_name, traversal_ids)`;
  // A tenth of the groups is one tree of three levels; a third of the others is below another one.
  const parentSql = `CASE WHEN g = 1 THEN NULL WHEN g <= 1 + ${branches} THEN 1
    WHEN g <= ${tree} THEN 2 + g % ${branches} WHEN g % 3 = 0 THEN g - 1 END`;
  const level = (/** @type {string} */ of) => `${into} ${groupRow}
    FROM generate_series(1::bigint, ${groups}) g
    LEFT JOIN namespaces parent ON parent.id = ${groupId(parentSql)} WHERE ${of};`;
  return {
    users: `
      INSERT INTO users (id, username, name, email, bio, location, organization, job_title,
        confirmed_at, created_at, updated_at, last_activity_on)
      SELECT ${FIRST} + n, lower(bench_word(n, 1)) || '-' || n,
        bench_word(n, 1) || ' ' || bench_word(n, 2) || ' ' || n, 'user' || n || '@example.com',
        'Writes programs', 'Hamburg', 'Example', 'Engineer', now(), at, at, at
      FROM generate_series(1::bigint, ${users}) n, bench_time(n, ${users}, 730) at`,
    namespaces: `
      ${level(`${parentSql} IS NULL`)}
      ${level(`g > 1 AND (g <= 1 + ${branches} OR (g > ${tree} AND g % 3 = 0))`)}
      ${level(`g > 1 + ${branches} AND g <= ${tree}`)}
      INSERT INTO namespaces (id, kind, owner_id, name, path, full_path, full_name, traversal_ids)
      SELECT ${ownNamespaceId('n')}, 'user', ${FIRST} + n, 'User ' || n, lower(bench_word(n, 1)) || '-' || n,
        lower(bench_word(n, 1)) || '-' || n, 'User ' || n, ARRAY[${ownNamespaceId('n')}]
      FROM generate_series(1::bigint, ${users}) n`,
    groups: `
      INSERT INTO groups (id, description, visibility, repository_storage)
      SELECT ${groupId('g')}, 'Builds and runs a part of the shop',
        CASE g % 10 WHEN 0 THEN 20 WHEN 1 THEN 0 WHEN 2 THEN 10 ELSE 0 END, 'default'
      FROM generate_series(1::bigint, ${groups}) g`,
    projects: `
      INSERT INTO projects (id, namespace_id, name, path, description, topics, default_branch,
        visibility, repository_storage, creator_id, last_activity_at, created_at, updated_at)
      SELECT ${FIRST} + p,
        CASE WHEN p <= ${projects / 10} THEN ${groupId(`1 + p % ${tree}`)}
          WHEN p % 5 = 0 THEN ${ownNamespaceId(`1 + p % ${users}`)}
          ELSE ${groupId(`bench_pick(p, 31, ${groups}) - ${FIRST}`)} END,
        bench_word(p, 1) || ' ' || bench_word(p, 2) || ' ' || p,
        lower(bench_word(p, 1)) || '-' || p, 'Part of the ' || bench_word(p, 3), '{shop,web}', 'main',
        CASE WHEN p = 1 THEN 0 WHEN p % 10 = 0 THEN 20 WHEN p % 10 < 3 THEN 10 ELSE 0 END,
        CASE WHEN p % 4 = 0 THEN 'storage2' ELSE 'default' END, ${FIRST} + 1 + p % ${users},
        now() - interval '1 year' * bench_share(p, 32), at, at
      FROM generate_series(1::bigint, ${projects}) p, bench_time(p, ${projects}, 730) at`,
    members: `
      INSERT INTO members (project_id, user_id, access_level, created_by_id)
      SELECT project, person, (ARRAY[20, 30, 30, 40])[1 + person % 4], ${KNOWN.manager} FROM (
        SELECT DISTINCT CASE WHEN n % 100 = 0 THEN ${KNOWN.project} ELSE bench_pick(n, 41, ${projects}) END
          AS project, ${FIRST} + 1 + (n * 7919) % ${users} AS person
        FROM generate_series(1::bigint, ${members}) n
        UNION SELECT ${KNOWN.project}, ${KNOWN.member} UNION SELECT ${KNOWN.project}, ${KNOWN.manager}
        UNION SELECT ${FIRST} + ${projects / 2} + n, ${KNOWN.member} FROM generate_series(1::bigint, 20) n) m;
      UPDATE members SET access_level = 40
        WHERE project_id = ${KNOWN.project} AND user_id IN (${KNOWN.member}, ${KNOWN.manager});
      INSERT INTO members (namespace_id, user_id, access_level, created_by_id)
      SELECT DISTINCT ${groupId(`bench_pick(n, 42, ${groups}) - ${FIRST}`)}, ${FIRST} + 3 + (n * 104729) % ${users - 3}, 30,
        ${KNOWN.manager} FROM generate_series(1::bigint, ${groupMembers}) n
      UNION ALL SELECT ${KNOWN.group}, ${KNOWN.manager}, 50, ${KNOWN.manager}
      UNION ALL SELECT ${groupId(String(groups / 2))}, ${KNOWN.member}, 30, ${KNOWN.manager}`,
    access_tokens: `
      INSERT INTO access_tokens (kind, digest, last_four, user_id, name, scopes, created_at)
      SELECT 'personal', sha256(('bench' || n)::bytea), '1234', bench_pick(n, 51, ${users}),
        'Token ' || n, '{api}', bench_time(n, ${groupMembers}, 365)
      FROM generate_series(1::bigint, ${groupMembers}) n`,
    audit_events: `
      INSERT INTO audit_events (author_id, action, target_type, target_id, entity_type, entity_id,
        created_at, author_name, target_name, entity_path)
      SELECT bench_pick(n, 52, ${users}), 'member.added', 'User', bench_pick(n, 53, ${users}), 'Project',
        bench_project(n), bench_time(n, ${users}, 365), 'Someone', 'Someone else', 'group-1/project'
      FROM generate_series(1::bigint, ${users}) n`,
    snippets: `
      INSERT INTO snippets (author_id, project_id, title, visibility, repository_storage, created_at,
        updated_at)
      SELECT bench_pick(n, 54, ${users}), CASE WHEN n % 2 = 0 THEN bench_project(n) END,
        bench_word(n, 1) || ' snippet ' || n, (ARRAY[0, 10, 20])[1 + n % 3], 'default', at, at
      FROM generate_series(1::bigint, ${small}) n, bench_time(n, ${small}, 730) at`,
    project_repository_storage_moves: `
      INSERT INTO project_repository_storage_moves (state, source_storage_name,
        destination_storage_name, phase, bytes_total, bytes_copied, project_id, created_at, updated_at,
        started_at, finished_at)
      SELECT CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'finished' END, 'default', 'storage2', 'done',
        1000000, 1000000, bench_pick(n, 55, ${projects}), at, at, at, at + interval '3 s'
      FROM generate_series(1::bigint, ${small}) n, bench_time(n, ${small}, 365) at`,
  };
}

/** @param {ReturnType<typeof rowCounts>} counts */
function workFills({ users, issues, mergeRequests, notes, small, projects }) {
  /** Numbers within the project. */
  const iid = 'row_number() OVER (PARTITION BY project ORDER BY n)';
  const numbered = (/** @type {number} */ size) => `(SELECT n, project, ${iid} AS iid
    FROM (SELECT n, bench_project(n) AS project FROM generate_series(1::bigint, ${size}) n) g) g`;
  const counters = (/** @type {string} */ table, /** @type {number} */ size) =>
    `INSERT INTO ${table} (project_id, last_iid)
     SELECT bench_project(n), count(*) FROM generate_series(1::bigint, ${size}) n GROUP BY 1`;
  return {
    milestones: `
      INSERT INTO milestones (project_id, iid, title, due_date)
      SELECT project, iid, 'Version ' || iid, now()::date + (n % 300)::int
      FROM ${numbered(small)}`,
    milestone_counters: counters('milestone_counters', small),
    labels: `
      INSERT INTO labels (project_id, name, color)
      SELECT ${FIRST} + p, name, '#6699cc'
      FROM generate_series(1::bigint, ${projects}) p CROSS JOIN unnest('{bug,feature}'::text[]) name`,
    issues: `
      INSERT INTO issues (id, project_id, iid, author_id, title, description, state, confidential,
        closed_at, issue_type, labels, due_date, created_at, updated_at)
      SELECT ${FIRST} + n, project, iid, bench_pick(n, 61, ${users}),
        bench_word(n, 1) || ' breaks after ' || bench_word(n, 2) || ' ' || n,
        repeat('Sign in and look at it. ', 4), CASE WHEN n % 3 = 0 THEN 'closed' ELSE 'opened' END,
        n % 20 = 7, CASE WHEN n % 3 = 0 THEN at END,
        CASE WHEN n % 25 = 1 THEN 'incident' ELSE 'issue' END,
        CASE n % 4 WHEN 0 THEN '{bug}' WHEN 1 THEN '{feature}' ELSE '{}' END::text[],
        CASE WHEN n % 10 = 0 THEN now()::date + (n % 60)::int END, at, at
      FROM ${numbered(issues)}, bench_time(n, ${issues}, 730) at`,
    issue_counters: counters('issue_counters', issues),
    issue_assignees: `
      INSERT INTO issue_assignees (issue_id, user_id)
      SELECT ${FIRST} + n, bench_pick(n, 62, ${users}) FROM generate_series(1::bigint, ${issues}, 2) n
      UNION SELECT ${FIRST} + n, ${KNOWN.member} FROM generate_series(1::bigint, 500) n`,
    merge_requests: `
      INSERT INTO merge_requests (id, project_id, iid, author_id, title, description, state,
        source_branch, target_branch, head_sha, base_sha, merge_status, merged_at, labels, created_at,
        updated_at)
      SELECT ${FIRST} + n, project, iid, bench_pick(n, 63, ${users}),
        'Repair ' || bench_word(n, 1) || ' of ' || bench_word(n, 2) || ' ' || n,
        repeat('Keeps what was there. ', 4), CASE WHEN n % 3 = 0 THEN 'opened' ELSE 'merged' END,
        'change-' || n, 'main', repeat('a', 40), repeat('b', 40), 'can_be_merged',
        CASE WHEN n % 3 <> 0 THEN at END, CASE WHEN n % 4 = 0 THEN '{bug}' ELSE '{}' END::text[], at, at
      FROM ${numbered(mergeRequests)}, bench_time(n, ${mergeRequests}, 730) at`,
    merge_request_counters: counters('merge_request_counters', mergeRequests),
    merge_request_people: `
      INSERT INTO merge_request_people (merge_request_id, user_id, role)
      SELECT ${FIRST} + n, bench_pick(n, 64, ${users}), 'reviewer'
      FROM generate_series(1::bigint, ${mergeRequests}) n`,
    notes: `
      INSERT INTO notes (id, issue_id, author_id, body, created_at, updated_at)
      SELECT ${FIRST} + n, ${FIRST} + CASE WHEN n % 50 = 0 THEN 1 ELSE n END,
        bench_pick(n, 65, ${users}), 'It happens with ' || bench_word(n, 2) || ' too.', at, at
      FROM generate_series(1::bigint, ${notes}) n, bench_time(n, ${notes}, 730) at`,
    todos: `
      INSERT INTO todos (user_id, author_id, project_id, action, issue_id, created_at, updated_at)
      SELECT CASE WHEN n % 20 = 0 AND bench_project(n) = ${KNOWN.project} THEN ${KNOWN.member}
          ELSE bench_pick(n, 66, ${users}) END,
        bench_pick(n, 67, ${users}), bench_project(n), 1, ${FIRST} + n, at, at
      FROM generate_series(1::bigint, ${mergeRequests}) n, bench_time(n, ${mergeRequests}, 730) at`,
  };
}

/** Payload of an error as an SDK sends it. */
const ERROR_PAYLOAD = JSON.stringify({
  platform: 'node',
  level: 'error',
  environment: 'production',
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'cart is undefined',
        stacktrace: {
          frames: [{ filename: 'cart.js', function: 'total', lineno: 7, in_app: true }],
        },
      },
    ],
  },
});

/** @param {ReturnType<typeof rowCounts>} counts */
function feedFills({ events, alerts, errorEvents, errors, users }) {
  const title = `bench_word(e, 1) || 'Error: ' || bench_word(e, 2) || ' is undefined'`;
  return {
    // In turn: five pushes, an issue created and closed, a merge request, a comment, a project joined.
    events: `
      INSERT INTO events (id, created_at, project_id, author_id, action, target_type, target_id,
        noteable_type, noteable_id, push_action, ref_type, ref, commit_from, commit_to, commit_count,
        commit_title)
      SELECT ${FIRST} + n, bench_time(n, ${events}, 730),
        CASE WHEN kind < 5 OR kind = 9 THEN bench_project(n) WHEN kind = 7 THEN bench_project((n + 13) / 20)
          WHEN kind = 8 AND (n / 10 + 1) % 50 = 0 THEN ${KNOWN.project} ELSE bench_project(n / 10 + 1) END,
        bench_pick(n, 71, ${users}),
        (ARRAY[5, 5, 5, 5, 5, 1, 3, 1, 6, 8])[kind + 1],
        (ARRAY[NULL, NULL, NULL, NULL, NULL, 1, 1, 2, 4, 5])[kind + 1],
        CASE WHEN kind IN (5, 6, 8) THEN ${FIRST} + n / 10 + 1 WHEN kind = 7 THEN ${FIRST} + (n + 13) / 20
          WHEN kind = 9 THEN bench_project(n) END,
        CASE WHEN kind = 8 THEN 1 END,
        CASE WHEN kind = 8 THEN ${FIRST} + CASE WHEN (n / 10 + 1) % 50 = 0 THEN 1 ELSE n / 10 + 1 END END,
        CASE WHEN kind < 5 THEN 2 END, CASE WHEN kind < 5 THEN 0 END, CASE WHEN kind < 5 THEN 'main' END,
        CASE WHEN kind < 5 THEN repeat('a', 40) END, CASE WHEN kind < 5 THEN repeat('b', 40) END,
        CASE WHEN kind < 5 THEN 1 END,
        CASE WHEN kind < 5 THEN 'Repair ' || bench_word(n, 1) END
      FROM generate_series(1::bigint, ${events - 10}) n, LATERAL (SELECT n % 10 AS kind) k`,
    environments: `
      INSERT INTO environments (id, project_id, name, slug)
      SELECT ${FIRST} + n, ${KNOWN.project}, 'environment-' || n, 'environment-' || n
      FROM generate_series(1::bigint, 30) n`,
    alerts: `
      INSERT INTO alerts (project_id, iid, environment_id, title, description, service, monitoring_tool,
        severity, status, fingerprint, payload, started_at, ended_at, created_at, updated_at, last_event_at)
      SELECT project, row_number() OVER (PARTITION BY project ORDER BY n),
        CASE WHEN project = ${KNOWN.project} AND n % 2 = 0 THEN ${FIRST} + 1 + n % 30 END,
        bench_word(n, 1) || ' fails on web' || n % 1000, 'No answer from ' || bench_word(n, 2) || ' ' || n,
        'service' || n % 50, 'Prometheus', n % 6,
        CASE WHEN n % 10 < 7 THEN 2 WHEN n % 10 < 9 THEN 0 ELSE 1 END,
        substr(sha256(('bench' || n)::bytea), 1, 20), '{"title": "fails"}', at,
        CASE WHEN n % 10 < 7 THEN at END, at, at, at
      FROM (SELECT n, bench_project(n) AS project FROM generate_series(1::bigint, ${alerts}) n) g,
        bench_time(n, ${alerts}, 365) at`,
    alert_counters: `
      INSERT INTO alert_counters (project_id, last_iid)
      SELECT bench_project(n), count(*) FROM generate_series(1::bigint, ${alerts}) n GROUP BY 1`,
    // The error of an event: a twentieth of them is one error, others come the more often the lower.
    error_events: `
      INSERT INTO error_events (id, expires_on, project_id, error_id, event_id, received_at, occurred_at,
        level, title, environment, release, user_label, payload, payload_encoding, is_envelope)
      SELECT ${FIRST} + n, (at AT TIME ZONE 'UTC')::date + 90, bench_project(e), ${FIRST} + e,
        md5('bench' || n)::uuid, at, at, 3, ${title}, 'production', '1.' || n % 20, 'user' || n % 1000,
        '${ERROR_PAYLOAD}', 0, false
      FROM (SELECT n, CASE WHEN n % 20 = 0 THEN 1 ELSE bench_pick(n, 81, ${errors}) - ${FIRST} END AS e
        FROM generate_series(1::bigint, ${errorEvents}) n) g, bench_time(n, ${errorEvents}, 89) at`,
    errors: `
      INSERT INTO errors (id, project_id, status, type, value, culprit, platform, level, first_seen_at,
        last_seen_at, events_count, users_count, first_release, last_release, search_text, sampled_day,
        sampled_count)
      SELECT ${FIRST} + e, bench_project(e), (ARRAY[0, 0, 1, 2])[1 + e % 4], bench_word(e, 1) || 'Error',
        bench_word(e, 2) || ' is undefined', 'total', 'node', 3, at - interval '1 day', at,
        ${errorEvents} / ${errors}, 3, '1.0', '1.5',
        lower(${title}) || ' total ' || e, now()::date, 1
      FROM generate_series(1::bigint, ${errors}) e, bench_time(e, ${errors}, 89) at`,
    error_tags: `
      INSERT INTO error_tags (error_id, key, value, project_id, events_count, last_seen_at)
      SELECT ${FIRST} + e, key, value, bench_project(e), 5, now()
      FROM generate_series(1::bigint, ${errors}) e, LATERAL (VALUES ('environment', 'production'),
        ('environment', CASE WHEN e % 10 = 0 THEN 'staging' ELSE 'test' END),
        ('release', '1.' || e % 20), ('browser', 'Firefox ' || e % 30)) t (key, value)`,
    error_trends: `
      INSERT INTO error_trends (error_id, hour, events_count)
      SELECT ${FIRST} + e, date_trunc('hour', now()) - h * interval '5 hours', 2
      FROM generate_series(1::bigint, ${errors}) e, generate_series(0, 2) h`,
    error_releases: `
      INSERT INTO error_releases (project_id, version)
      SELECT DISTINCT bench_project(e), '1.' || e % 20 FROM generate_series(1::bigint, ${errors}) e`,
  };
}

/**
 * Fills the database of a new instance.
 * @param {string} databaseUrl of a superuser
 * @param {number} events
 */
export async function fillToScale(databaseUrl, events) {
  const counts = rowCounts(events);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: LOAD_CONNECTIONS,
    options: '-c maintenance_work_mem=512MB -c work_mem=256MB -c synchronous_commit=off',
  });
  try {
    await pool.query(functionsSql(counts));
    await bulkLoad(pool, fillsOf(counts));
    await pool.query(DROP_FUNCTIONS_SQL);
  } finally {
    await pool.end();
  }
}
