import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { mayChange } from '../../workspace/snippets/snippet-access.js';
import type { RepositoryKind } from '../../git/repository-path.js';
import { canInGroup, canInProject } from '../../identity/members/abilities.js';
import {
  GitTargetsRepository,
  type GroupRow,
  type ProjectRow,
  type SnippetRow,
  type ProjectStanding,
  type Standing,
} from './git-targets.repository.js';

/** The repository that a request names, with everything that decides about the request. */
export interface GitTarget {
  kind: RepositoryKind;
  containerId: number;
  storage: string;
  readOnly: boolean;
  archived: boolean;
  /** The protected branch; null = whichever HEAD names. */
  defaultBranch: string | null;
  access: RepositoryAccess;
  /** Set when the repository has another address now. */
  moved: { from: string; to: string } | null;
}

/** For `GitTarget.moved`: another spelling of the same path in upper and lower case is no move. */
export function moved(from: string, to: string): GitTarget['moved'] {
  return from.toLowerCase() === to.toLowerCase() ? null : { from, to };
}

const WIKI_SUFFIX = '.wiki';

/** Resolves the path of a clone URL for each request: a move can change it at any moment. */
@Injectable()
export class GitTargets {
  constructor(private readonly targets: GitTargetsRepository) {}

  /**
   * The repository at `group/project`, `group/project.wiki`, `group.wiki`, `snippets/:id` or
   * `group/project/snippets/:id`; null when there is none. Does not check visibility.
   */
  async find(path: string, viewer: Viewer | null): Promise<GitTarget | null> {
    const snippet = /^(?:(.+)\/)?snippets\/([1-9]\d{0,15})$/.exec(path);
    if (snippet !== null) {
      const [, projectPath = null, id] = snippet;
      const found = await this.snippet(Number(id), projectPath, viewer);
      if (found !== null || projectPath === null) return found;
    }
    const project = await this.targets.findProjectByPath(path, viewer?.id ?? null);
    if (project !== null) return codeTarget(project, path, viewer);
    return path.endsWith(WIKI_SUFFIX) ? this.wiki(path, viewer) : null;
  }

  /** Returns the snippet of the project at `projectPath` (null = personal) if the viewer can see it. */
  private async snippet(
    id: number,
    projectPath: string | null,
    viewer: Viewer | null,
  ): Promise<GitTarget | null> {
    const snippet = await this.targets.findSnippet(id, viewer);
    if (snippet === null || !(await this.isAt(projectPath, snippet, viewer))) return null;
    const canPush = viewer !== null && mayChange(snippet, viewer);
    const { projectFullPath } = snippet;
    return {
      kind: 'snippet',
      containerId: snippet.id,
      storage: snippet.storage,
      readOnly: snippet.readOnly,
      archived: snippet.projectArchived ?? false,
      defaultBranch: null,
      access: { visible: true, canRead: true, canPush, canPushProtected: canPush },
      moved:
        projectPath === null
          ? null
          : moved(`${projectPath}/snippets/${id}`, `${projectFullPath}/snippets/${id}`),
    };
  }

  /** Returns whether the snippet's project has or had that path. */
  private async isAt(
    path: string | null,
    { projectId, projectFullPath }: SnippetRow,
    viewer: Viewer | null,
  ): Promise<boolean> {
    if (path === null || projectFullPath === null) return path === projectFullPath;
    if (path.toLowerCase() === projectFullPath.toLowerCase()) return true;
    const project = await this.targets.findProjectByPath(path, viewer?.id ?? null);
    return project?.id === projectId;
  }

  private async wiki(path: string, viewer: Viewer | null): Promise<GitTarget | null> {
    const owner = path.slice(0, -WIKI_SUFFIX.length);
    const userId = viewer?.id ?? null;
    const project = await this.targets.findProjectByPath(owner, userId);
    if (project !== null) return wikiTarget(project, path, viewer);
    const group = await this.targets.findGroupByPath(owner, userId);
    return group === null ? null : groupWikiTarget(group, path, viewer);
  }
}

function codeTarget(project: ProjectRow, path: string, viewer: Viewer | null): GitTarget {
  return {
    kind: 'project',
    containerId: project.id,
    storage: project.storage,
    readOnly: project.readOnly,
    archived: project.archived,
    defaultBranch: project.defaultBranch,
    access: codeAccess(project, viewer),
    moved: moved(path, project.fullPath),
  };
}

function wikiTarget(project: ProjectRow, path: string, viewer: Viewer | null): GitTarget {
  return {
    ...codeTarget(project, path, viewer),
    kind: 'wiki',
    defaultBranch: null,
    access: wikiAccess(project, viewer),
    moved: moved(path, `${project.fullPath}${WIKI_SUFFIX}`),
  };
}

function groupWikiTarget(group: GroupRow, path: string, viewer: Viewer | null): GitTarget {
  return {
    kind: 'group-wiki',
    containerId: group.id,
    storage: group.storage,
    readOnly: group.readOnly,
    archived: false,
    defaultBranch: null,
    access: groupWikiAccess(group, viewer),
    moved: moved(path, `${group.fullPath}${WIKI_SUFFIX}`),
  };
}

/** Permissions of a user in a repository. */
interface RepositoryAccess {
  /** False = the answer must be the same as for something that does not exist. */
  visible: boolean;
  canRead: boolean;
  canPush: boolean;
  /** May push to the default branch and change tags. */
  canPushProtected: boolean;
}

/** Access to the code of a project. */
function codeAccess(project: ProjectStanding, viewer: Viewer | null): RepositoryAccess {
  const access = { ...project, viewer };
  const enabled = project.repositoryEnabled;
  return {
    visible: canInProject('read_project', access),
    canRead: enabled && canInProject('read_code', access),
    canPush: enabled && canInProject('push_code', access),
    canPushProtected: enabled && canInProject('push_protected', access),
  };
}

/** Access to a project's wiki: everyone who sees the project reads, developers write. */
function wikiAccess(project: ProjectStanding, viewer: Viewer | null): RepositoryAccess {
  const access = { ...project, viewer };
  const visible = canInProject('read_project', access);
  const canPush = project.wikiEnabled && canInProject('push_code', access);
  return { visible, canRead: visible && project.wikiEnabled, canPush, canPushProtected: canPush };
}

/** Access to a group's wiki. */
function groupWikiAccess(group: Standing, viewer: Viewer | null): RepositoryAccess {
  const access = { ...group, viewer };
  const canPush = canInGroup('push_wiki', access);
  return {
    visible: canInGroup('read_group', access),
    canRead: canInGroup('read_wiki', access),
    canPush,
    canPushProtected: canPush,
  };
}
