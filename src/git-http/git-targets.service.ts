import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { mayChange } from '../snippets/snippet-access.js';
import { type GitTarget, moved } from './git-target.js';
import {
  GitTargetsRepository,
  type GroupRow,
  type ProjectRow,
  type SnippetRow,
} from './git-targets.repository.js';
import { codeAccess, groupWikiAccess, wikiAccess } from './repository-access.js';

const WIKI_SUFFIX = '.wiki';

/** Resolves the path of a clone URL for each request: a move can change it at any moment. */
@Injectable()
export class GitTargets {
  constructor(private readonly targets: GitTargetsRepository) {}

  /**
   * The repository at `group/project`, `group/project.wiki`, `group.wiki`, `snippets/:id` or
   * `group/project/snippets/:id`; null when there is none. Says nothing yet about visibility.
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
