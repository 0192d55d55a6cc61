import { QueryFailedError } from 'typeorm';
import type { AuthContext, Viewer } from '../../core/access/auth-context.js';
import type { NewNotification } from '../../core/activity/notifications.repository.js';
import { ForbiddenError, MethodNotAllowedError, ValidationFailedError } from '../../core/errors.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { isValidBranchName } from '../../git/reference-name.js';
import type { LockedNamespace } from '../../identity/users/namespaces.repository.js';
import { emailsEnabledOf, TAKEN, namingProblems } from '../groups/group-rules.js';
import { visibilityName, type VisibilityName } from '../../identity/members/visibility.js';
import { pathFromName } from '../../identity/users/naming-rules.js';
import type { NewProjectRepository } from './project-repositories.service.js';
import type { CreateProjectDto, ProjectAttributesDto } from './project.dto.js';
import type { Project } from './project.entity.js';

const DEEPEST_OFFSET = 50_000;
const TOO_DEEP = `Offset pagination has a maximum allowed offset of ${DEEPEST_OFFSET} for requests that return objects of type Project. Remaining records can be retrieved using keyset pagination.`;

/** Throws 405 for a page that can be reached by keyset pagination only. */
export function assertNotTooDeep({ page, perPage }: Paging): void {
  if (page * perPage > DEEPEST_OFFSET) throw new MethodNotAllowedError({ error: TOO_DEEP });
}

/** Returns the refusal of a name or path that another project of the namespace has, in any case. */
export function takenError(taken: { name: boolean; path: boolean }): ValidationFailedError {
  return new ValidationFailedError({
    ...(taken.name && { project_namespace: { name: [TAKEN] }, name: [TAKEN] }),
    ...(taken.path && { path: [TAKEN] }),
  });
}

/** Throws 403 in an archived project, which is read-only for everyone. */
export function assertTakesChanges({ archived }: { archived: boolean }): void {
  if (archived) throw new ForbiddenError();
}

/** Returns the refusal for a unique violation of the projects table, and other errors unchanged. */
export function translateTaken(error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  const { constraint } = error.driverError as { constraint?: string };
  if (constraint === 'uq_projects_namespace_name') return takenError({ name: true, path: false });
  if (constraint === 'uq_projects_namespace_path') return takenError({ name: false, path: true });
  return error;
}

/** A project is never more visible than its group (API doc, groups); users' namespaces hold all. */
export function assertVisibilityFits(
  level: number,
  namespace: Pick<LockedNamespace, 'visibility'>,
): void {
  if (namespace.visibility === null || level <= namespace.visibility) return;
  const text = `${visibilityName(level)} is not allowed in a ${visibilityName(namespace.visibility)} group.`;
  throw new ValidationFailedError({ visibility_level: [text] });
}

/**
 * Returns the notification of a changed project path for owners and maintainers. Only for a move of
 * the project itself: when a group moves, its former paths redirect to everything below, and an
 * email for each project would flood the maintainers.
 */
export function movedNotification(
  { id, formerPath }: { id: number; formerPath: string },
  { viewer }: Pick<AuthContext, 'viewer'>,
): NewNotification {
  return {
    kind: 'moved_project',
    projectId: id,
    actorId: viewer?.id ?? null,
    target: { type: 'project', id },
    details: { formerPath },
  };
}

export interface NewProject {
  dto: CreateProjectDto;
  namespaceId: number;
  creator: { id: number; name: string; email: string };
  /** User of the request; only administrators choose the storage. */
  viewer: Pick<Viewer, 'admin'>;
}

/** Everything about a project that is decided before anything is written. */
export interface ProjectPlan extends Omit<NewProjectRepository, 'projectId'> {
  name: string;
  path: string;
  namespaceId: number;
  visibility: VisibilityName;
  attributes: Partial<Project>;
  creator: { id: number };
}

const DEFAULT_BRANCH = 'main';

/** Name and path follow from each other when only one is given. Throws 400 per attribute. */
export function newProject(input: NewProject, storage: string): ProjectPlan {
  const { dto, namespaceId, creator } = input;
  const name = dto.name ?? dto.path ?? '';
  const path = dto.path ?? pathFromName(name);
  const problems = namingProblems({ name, path }, 'below');
  const defaultBranch = dto.default_branch || DEFAULT_BRANCH;
  if (!isValidBranchName(defaultBranch)) problems['default_branch'] = ['is invalid'];
  if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
  const text = dto.description ? `# ${name}\n\n${dto.description}\n` : `# ${name}\n`;
  return {
    name,
    path,
    namespaceId,
    visibility: dto.visibility ?? 'private',
    attributes: plainAttributes(dto),
    creator,
    storage,
    defaultBranch,
    readme:
      dto.initialize_with_readme === true
        ? { text, author: { name: creator.name, email: creator.email } }
        : null,
  };
}

const MAX_TOPIC_LENGTH = 255;

/** Columns that parameters set directly, without a rule of their own; absent stays absent. */
export function plainAttributes(dto: ProjectAttributesDto): Partial<Project> {
  const topics = dto.topics ?? dto.tag_list;
  return defined({
    description: dto.description,
    topics: topics === undefined ? undefined : normaliseTopics(topics),
    issuesEnabled: switched(dto.issues_enabled, dto.issues_access_level),
    mergeRequestsEnabled: switched(dto.merge_requests_enabled, dto.merge_requests_access_level),
    wikiEnabled: switched(dto.wiki_enabled, dto.wiki_access_level),
    snippetsEnabled: switched(dto.snippets_enabled, dto.snippets_access_level),
    repositoryEnabled: switched(undefined, dto.repository_access_level),
    requestAccessEnabled: dto.request_access_enabled ?? undefined,
    emailsEnabled: emailsEnabledOf(dto),
  });
}

/** The newer `*_access_level` wins over the boolean. */
function switched(
  enabled: boolean | null | undefined,
  level: string | null | undefined,
): boolean | undefined {
  if (level) return level === 'enabled';
  return enabled ?? undefined;
}

function normaliseTopics(topics: readonly string[]): string[] {
  const names = topics.map((topic) => topic.trim().slice(0, MAX_TOPIC_LENGTH));
  return [...new Set(names.filter((name) => name !== ''))];
}

function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
