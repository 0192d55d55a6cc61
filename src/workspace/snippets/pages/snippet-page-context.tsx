import type { Viewer } from '../../../core/access/auth-context.js';
import type { PageInfo } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { projectListInfo } from '../../projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { mayCreatePersonal } from '../snippet-access.js';

/** The page of personal snippets or of a project's snippets, and the viewer's permissions. */
export interface SnippetPageContext {
  projectId: number | null;
  /** Address of the list; the other addresses begin with it. */
  path: string;
  mayCreate: boolean;
  /** The list without a title. */
  info(title?: string): PageInfo;
}

/** Returns the context of personal snippets. */
export function personalPageContext(viewer: Viewer | null): SnippetPageContext {
  const list = { label: 'Snippets', href: '/-/snippets' };
  return {
    projectId: null,
    path: list.href,
    mayCreate: viewer !== null && mayCreatePersonal(viewer),
    info: (title) =>
      title === undefined
        ? { title: list.label, nav: 'snippets' }
        : { title, nav: 'snippets', crumbs: [list] },
  };
}

/** Returns the context of a project's snippets; no one can create them in an archived project. */
export function projectPageContext(project: ProjectRow, viewer: Viewer | null): SnippetPageContext {
  const list = { label: 'Snippets', href: `/${fullPathOf(project)}/-/snippets` };
  return {
    projectId: project.id,
    path: list.href,
    mayCreate: !project.archived && canInProject('create_snippet', { ...project, viewer }),
    info: (title) => projectListInfo(project, list, title),
  };
}
