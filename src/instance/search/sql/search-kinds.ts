import type { Viewer } from '../../../core/access/auth-context.js';
import type { Conditions } from '../../../core/sql/conditions.js';
import { ALERT_STATUSES } from '../../../alerts/alert-values.js';
import { ALERT_SEARCH_TEXT } from '../../../alerts/sql/alert-list.js';
import { ERROR_STATUS, ERROR_STATUSES } from '../../../error-tracking/error-values.js';
import type { ProjectAbility } from '../../../identity/members/abilities.js';
import { ACTIVE_MEMBERSHIP } from '../../../identity/members/member-source.js';
import { USER_FLAGS } from '../../../identity/users/sql/user-list.js';
import { mergeRequestVisibility } from '../../../code/merge-requests/sql/merge-requests.js';
import { GROUP_FROM, visibleGroupSql } from '../../../workspace/groups/sql/group-list.js';
import { issueVisibility } from '../../../workspace/issues/sql/issue-list.js';
import { visibleProjectSql } from '../../../workspace/projects/sql/project-list.js';
import { PROJECT_FROM } from '../../../workspace/projects/sql/project-statements.js';
import {
  SNIPPET_TABLES,
  visibleSnippetSql,
} from '../../../workspace/snippets/snippets.repository.js';
import type { PageScope } from '../search-query.js';
import { hasAbility, type OwnProjects } from './own-projects.js';

/** The project or group, with all below it, to which a search is limited. */
export type SearchContainer = { projectId: number } | { groupId: number };

/** Search statement and presentation of one kind. */
export interface Kind {
  from: string;
  /** Joins that only the columns of a SearchHit need, with one partner per row. */
  joins?: string;
  /** Columns of which one must match each pattern; trigram indexes find them. */
  searched: readonly string[];
  id: string;
  createdAt: string;
  /**
   * The newest come first, after those that are equal or begin alike where there are few enough to
   * rank them. Programs add any number of those in the order of their ids: no index has their times.
   */
  order: 'rank' | 'time' | 'id';
  /**
   * Where the viewer has the ability in few projects, each is read in the order of an index that
   * begins with the project; within a project it is the order of the ids.
   */
  latest?: { ability: ProjectAbility; table: string; alias: string; order: string };
  /** The searched columns have small letters only, which LIKE compares several times as fast. */
  isLowerCase?: true;
  /** SQL for the columns of a SearchHit. */
  hit: { title: string; reference: string; place: string; href: string; state: string; by: string };
  /** SQL that is true for what the viewer can see, as in the lists of the kind. */
  visible(where: Conditions, viewer: Viewer | null, own: OwnProjects): string;
  /** SQL for what lies in the container. */
  within(where: Conditions, container: SearchContainer): string;
}

const PROJECT_PATH = `n.full_path || '/' || p.path`;
const IN_PROJECT =
  'JOIN projects p ON p.id = x.project_id JOIN namespaces n ON n.id = p.namespace_id';

const inProjects =
  (projectId: string) =>
  (where: Conditions, container: SearchContainer): string =>
    'projectId' in container
      ? `${projectId} = ${where.value(container.projectId)}`
      : `n.traversal_ids @> ARRAY[${where.value(container.groupId)}]::bigint[]`;

/** Returns the id of the viewer as SQL; anonymous viewers and administrators need none. */
function me(where: Conditions, viewer: Viewer | null): string {
  return viewer === null || viewer.admin ? 'NULL' : where.value(viewer.id);
}

const wordOf = (words: readonly string[], number: string): string =>
  `(ARRAY[${words.map((word) => `'${word}'`).join(', ')}])[${number} + 1]`;

export const SEARCH_KINDS: Readonly<Record<PageScope, Kind>> = {
  projects: {
    from: PROJECT_FROM,
    searched: ['p.name', 'p.path'],
    id: 'p.id',
    createdAt: 'p.created_at',
    order: 'rank',
    hit: {
      title: `n.full_name || ' / ' || p.name`,
      reference: 'NULL',
      place: 'left(p.description, 200)',
      href: `'/' || ${PROJECT_PATH}`,
      state: `CASE WHEN p.archived THEN 'archived' END`,
      by: 'NULL',
    },
    visible: (where, viewer) =>
      `NOT p.pending_delete AND (${visibleProjectSql(viewer, me(where, viewer))})`,
    within: inProjects('p.id'),
  },
  groups: {
    from: GROUP_FROM,
    searched: ['n.name', 'n.path'],
    id: 'g.id',
    createdAt: 'n.created_at',
    order: 'rank',
    hit: {
      title: 'n.full_name',
      reference: 'NULL',
      place: 'left(g.description, 200)',
      href: `'/groups/' || n.full_path`,
      state: 'NULL',
      by: 'NULL',
    },
    visible: (where, viewer) =>
      `NOT g.pending_delete AND (${visibleGroupSql(viewer, me(where, viewer))})`,
    within: (where, container) => {
      if ('projectId' in container) return 'false';
      const id = where.value(container.groupId);
      return `n.traversal_ids @> ARRAY[${id}]::bigint[] AND g.id <> ${id}`;
    },
  },
  users: {
    from: 'users u',
    searched: ['u.name', 'u.username'],
    id: 'u.id',
    createdAt: 'u.created_at',
    order: 'rank',
    hit: {
      title: 'u.name',
      reference: `'@' || u.username`,
      place: 'NULL',
      href: `'/' || u.username`,
      state: 'NULL',
      by: 'NULL',
    },
    // As the list of users: for signed-in users only.
    visible: (_, viewer) => (viewer === null ? 'false' : USER_FLAGS.active),
    within: (where, container) => {
      const inProject = 'projectId' in container;
      const id = where.value(inProject ? container.projectId : container.groupId);
      const namespace = inProject ? `(SELECT namespace_id FROM projects WHERE id = ${id})` : id;
      return `u.id IN (SELECT m.user_id FROM members m WHERE ${ACTIVE_MEMBERSHIP}
          AND (m.namespace_id = ANY(ARRAY(SELECT unnest(traversal_ids) FROM namespaces
              WHERE id = ${namespace}))${inProject ? ` OR m.project_id = ${id}` : ''}))
        OR u.id = (SELECT owner_id FROM namespaces WHERE id = ${namespace})`;
    },
  },
  issues: {
    from: `issues i ${IN_PROJECT.replace('x.', 'i.')}`,
    joins: 'JOIN users author ON author.id = i.author_id',
    searched: ['i.title'],
    id: 'i.id',
    createdAt: 'i.created_at',
    order: 'time',
    hit: {
      title: 'i.title',
      reference: `'#' || i.iid`,
      place: PROJECT_PATH,
      href: `'/' || ${PROJECT_PATH} || '/-/issues/' || i.iid`,
      state: 'i.state',
      by: 'author.name',
    },
    visible: (where, viewer) => issueVisibility(where, viewer).visible,
    within: inProjects('i.project_id'),
  },
  merge_requests: {
    from: `merge_requests r ${IN_PROJECT.replace('x.', 'r.')}`,
    joins: 'JOIN users author ON author.id = r.author_id',
    searched: ['r.title'],
    id: 'r.id',
    createdAt: 'r.created_at',
    order: 'time',
    hit: {
      title: 'r.title',
      reference: `'!' || r.iid`,
      place: PROJECT_PATH,
      href: `'/' || ${PROJECT_PATH} || '/-/merge_requests/' || r.iid`,
      state: 'r.state',
      by: 'author.name',
    },
    visible: (where, viewer) => mergeRequestVisibility(where, viewer).visible,
    within: inProjects('r.project_id'),
  },
  alerts: {
    from: `alerts a ${IN_PROJECT.replace('x.', 'a.')}`,
    searched: [ALERT_SEARCH_TEXT],
    id: 'a.id',
    createdAt: 'a.created_at',
    order: 'id',
    latest: { ability: 'read_alert', table: 'alerts', alias: 'a', order: 'a.iid DESC' },
    hit: {
      title: 'a.title',
      reference: `'#' || a.iid`,
      place: PROJECT_PATH,
      href: `'/' || ${PROJECT_PATH} || '/-/alert_management/' || a.iid || '/details'`,
      state: wordOf(ALERT_STATUSES, 'a.status'),
      by: 'NULL',
    },
    visible: hasAbility('read_alert', 'a.project_id'),
    within: inProjects('a.project_id'),
  },
  errors: {
    from: `errors e JOIN error_texts t ON t.error_id = e.id ${IN_PROJECT.replace('x.', 'e.')}`,
    searched: ['t.text'],
    id: 'e.id',
    createdAt: 'e.first_seen_at',
    order: 'id',
    isLowerCase: true,
    hit: {
      title: `left(coalesce(nullif(concat_ws(': ', e.type, e.value), ''), e.culprit), 200)`,
      reference: 'NULL',
      place: PROJECT_PATH,
      href: `'/' || ${PROJECT_PATH} || '/-/error_tracking/' || e.id || '/details'`,
      state: wordOf(ERROR_STATUSES, 'e.status'),
      by: 'NULL',
    },
    visible: (where, viewer, own) =>
      `e.status <= ${ERROR_STATUS.ignored} AND (${hasAbility('read_error', 'e.project_id')(where, viewer, own)})`,
    within: inProjects('e.project_id'),
  },
  milestones: {
    from: `milestones m ${IN_PROJECT.replace('x.', 'm.')}`,
    searched: ['m.title'],
    id: 'm.id',
    createdAt: 'm.created_at',
    order: 'rank',
    hit: {
      title: 'm.title',
      reference: 'NULL',
      place: PROJECT_PATH,
      href: `'/' || ${PROJECT_PATH} || '/-/milestones/' || m.iid`,
      state: 'm.state',
      by: 'NULL',
    },
    visible: (where, viewer) => `NOT p.pending_delete
      AND (p.issues_enabled OR p.merge_requests_enabled)
      AND (${visibleProjectSql(viewer, me(where, viewer))})`,
    within: inProjects('m.project_id'),
  },
  snippet_titles: {
    from: SNIPPET_TABLES,
    searched: ['s.title'],
    id: 's.id',
    createdAt: 's.created_at',
    order: 'rank',
    hit: {
      title: 's.title',
      reference: `'$' || s.id`,
      place: PROJECT_PATH,
      href: `coalesce('/' || ${PROJECT_PATH}, '') || '/-/snippets/' || s.id`,
      state: 'NULL',
      by: 'u.name',
    },
    visible: (where, viewer) => visibleSnippetSql(where, viewer),
    within: inProjects('s.project_id'),
  },
};
