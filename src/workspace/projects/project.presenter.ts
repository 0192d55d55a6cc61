import { avatarUrl } from '../../core/avatars/avatar.js';
import type { ItemFormat } from '../../core/sql/json-pages.service.js';
import type { ResponseContext } from '../../core/response-context.js';
import { canInProject } from '../../identity/members/abilities.js';
import type { AccessLevel, NO_ACCESS } from '../../identity/members/roles.js';
import { visibilityName } from '../../identity/members/visibility.js';
import { presentUserBasic } from '../../identity/users/user.presenter.js';
import { presentNamespace } from '../groups/group.response.js';
import type {
  AccessResponse,
  FeatureLevelResponse,
  FeaturesResponse,
  ProjectResponse,
  ProjectBasicResponse,
  ProjectIdentityResponse,
  ProjectLinksResponse,
} from './project.response.js';
import type { FreshProject } from './sql/project-list.js';
import { fullPathOf, type CountedProjectRow, type ProjectRow } from './projects.repository.js';

/** Attributes that identify a project in other responses. */
type ProjectIdentity = Pick<ProjectRow, 'id' | 'name' | 'path' | 'description' | 'createdAt'> & {
  namespace: { fullPath: string; fullName: string };
};

/** A project that is only mentioned, as in a storage move. */
export function presentProjectIdentity(project: ProjectIdentity): ProjectIdentityResponse {
  const { namespace } = project;
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: `${namespace.fullName} / ${project.name}`,
    path: project.path,
    path_with_namespace: `${namespace.fullPath}/${project.path}`,
    created_at: project.createdAt.toISOString(),
  };
}

/** Returns the short form: for anonymous requests and `simple=true`. */
export function presentProjectBasic(
  project: ProjectRow,
  presentation: ResponseContext,
): ProjectBasicResponse {
  const { baseUrl, viewer } = presentation;
  const path = fullPathOf(project);
  const mayReadCode = canInProject('read_code', { ...project, viewer });
  return Object.assign(presentProjectIdentity(project), {
    default_branch: mayReadCode ? project.defaultBranch : undefined,
    tag_list: project.topics,
    topics: project.topics,
    ssh_url_to_repo: null,
    http_url_to_repo: `${baseUrl}/${path}.git`,
    web_url: `${baseUrl}/${path}`,
    readme_url: mayReadCode ? null : undefined,
    forks_count: mayReadCode ? 0 : undefined,
    avatar_url: avatarUrl('project', project, baseUrl),
    star_count: 0,
    last_activity_at: project.lastActivityAt.toISOString(),
    namespace: presentNamespace(project.namespace, baseUrl),
  });
}

/** Members of the full form that its own rows do not decide: counts and the viewer's levels. */
type FreshMember = 'open_issues_count' | 'emails_disabled' | 'emails_enabled' | 'permissions';

/** The full form without them; `repository_storage` for administrators only. */
function presentProject(
  project: ProjectRow,
  presentation: ResponseContext,
): Omit<ProjectResponse, FreshMember> {
  const { baseUrl, viewer } = presentation;
  const details = {
    _links: links(project.id, baseUrl),
    empty_repo: project.emptyRepo,
    archived: project.archived,
    visibility: visibilityName(project.visibility),
    owner: project.owner === null ? undefined : presentUserBasic(project.owner, baseUrl),
    creator_id: project.creatorId,
    import_status: 'none' as const,
    shared_with_groups: [],
    repository_storage: viewer?.admin === true ? project.repositoryStorage : undefined,
  };
  return Object.assign(
    presentProjectBasic(project, presentation),
    details,
    featureSettings(project),
  );
}

type FreshColumns = Pick<
  CountedProjectRow,
  'openIssuesCount' | 'groupsSendMails' | 'emailsEnabled' | 'projectLevel' | 'groupLevel'
>;

function presentFresh(project: FreshColumns): Pick<ProjectResponse, FreshMember> {
  const sendsMails = project.emailsEnabled && project.groupsSendMails;
  return {
    open_issues_count: project.openIssuesCount,
    emails_disabled: !sendsMails,
    emails_enabled: sendsMails,
    permissions: {
      project_access: presentLevel(project.projectLevel),
      group_access: presentLevel(project.groupLevel),
    },
  };
}

/** The full form with the viewer's own levels in the project and in its groups. */
export function presentProjectWithAccess(
  project: CountedProjectRow,
  presentation: ResponseContext,
): ProjectResponse {
  return Object.assign(presentProject(project, presentation), presentFresh(project));
}

/** The form of projects in a list: the short one if `simple`, and for anonymous requests. */
export function projectFormat(
  presentation: ResponseContext,
  simple: boolean,
): ItemFormat<ProjectBasicResponse | ProjectResponse, ProjectRow, FreshProject> {
  const { viewer } = presentation;
  const isShort = simple || viewer === null;
  const mayReadCode = ({ visibility, ownerLevel, projectLevel, groupLevel }: FreshProject) => {
    const accessLevel = Math.max(ownerLevel, projectLevel, groupLevel);
    return canInProject('read_code', { visibility, accessLevel, viewer });
  };
  const present = isShort ? presentProjectBasic : presentProject;
  return {
    name: isShort ? 'basic_project' : `project ${viewer.admin}`,
    form: (project) => String(mayReadCode(project)),
    present: (project) => present(project, presentation),
    presentFresh: (project) => (isShort ? {} : presentFresh(project)),
  };
}

function presentLevel(level: AccessLevel | typeof NO_ACCESS): AccessResponse | null {
  // 3 = the user's global setting, the default.
  return level === 0 ? null : { access_level: level, notification_level: 3 };
}

function links(id: number, baseUrl: string): ProjectLinksResponse {
  const self = `${baseUrl}/api/v4/projects/${id}`;
  return {
    self,
    issues: `${self}/issues`,
    merge_requests: `${self}/merge_requests`,
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
    cluster_agents: `${self}/cluster_agents`,
  };
}

/** Features that a project switches on and off. */
type Switches = Pick<
  ProjectRow,
  | 'issuesEnabled'
  | 'mergeRequestsEnabled'
  | 'wikiEnabled'
  | 'snippetsEnabled'
  | 'repositoryEnabled'
  | 'requestAccessEnabled'
>;

/** The `*_enabled` and `*_access_level` fields; what the product does not have is off. */
function featureSettings(project: Switches): Omit<FeaturesResponse, FreshMember> {
  return {
    issues_enabled: project.issuesEnabled,
    merge_requests_enabled: project.mergeRequestsEnabled,
    wiki_enabled: project.wikiEnabled,
    jobs_enabled: false,
    snippets_enabled: project.snippetsEnabled,
    container_registry_enabled: false,
    packages_enabled: false,
    lfs_enabled: false,
    request_access_enabled: project.requestAccessEnabled,
    issues_access_level: levelName(project.issuesEnabled),
    repository_access_level: levelName(project.repositoryEnabled),
    merge_requests_access_level: levelName(project.mergeRequestsEnabled),
    wiki_access_level: levelName(project.wikiEnabled),
    snippets_access_level: levelName(project.snippetsEnabled),
    builds_access_level: 'disabled',
    forking_access_level: 'disabled',
    merge_method: 'merge',
  };
}

function levelName(enabled: boolean): FeatureLevelResponse {
  return enabled ? 'enabled' : 'disabled';
}
