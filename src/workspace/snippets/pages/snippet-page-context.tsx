import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../../../core/access/viewer.js';
import { PageHeader } from '../../../core/ui/components/content.js';
import type { PageInfo } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { ProjectFrame, projectInfo } from '../../projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';

/** Heading above the content of a snippet page. */
interface Heading {
  title: string;
  description?: ComponentChildren;
  actions?: ComponentChildren;
}

/** Where snippets are listed and made: a project, or the viewer's own space. */
export interface SnippetPageContext {
  projectId: number | null;
  /** Address of the list; the other addresses begin with it. */
  path: string;
  mayCreate: boolean;
  /** Without title it is the list. */
  info(title?: string): PageInfo;
  frame(heading: Heading, content: ComponentChildren): VNode;
}

/** The place of personal snippets; external users have none to put one in. */
export function personalPageContext(viewer: Viewer | null): SnippetPageContext {
  const list = { label: 'Snippets', href: '/-/snippets' };
  return {
    projectId: null,
    path: list.href,
    mayCreate: viewer !== null && (viewer.admin || !viewer.external),
    info: (title) =>
      title === undefined
        ? { title: list.label, nav: 'snippets' }
        : { title, nav: 'snippets', crumbs: [list] },
    frame: (heading, content) => (
      <>
        <PageHeader {...heading} />
        {content}
      </>
    ),
  };
}

/** The place of a project's snippets; an archived project takes no new ones. */
export function projectPageContext(project: ProjectRow, viewer: Viewer | null): SnippetPageContext {
  const list = { label: 'Snippets', href: `/${fullPathOf(project)}/-/snippets` };
  return {
    projectId: project.id,
    path: list.href,
    mayCreate: !project.archived && canInProject('create_snippet', { ...project, viewer }),
    info: (title) => {
      if (title === undefined) return projectInfo(project, list.label);
      const { crumbs = [], ...info } = projectInfo(project, title);
      return { ...info, crumbs: [...crumbs, list] };
    },
    frame: (heading, content) => (
      <ProjectFrame project={project} viewer={viewer} current="snippets">
        <SubHeader {...heading} />
        {content}
      </ProjectFrame>
    ),
  };
}

/** The heading of the project is the first of the page. */
function SubHeader({ title, description, actions }: Heading): VNode {
  return (
    <div class="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div class="min-w-0">
        <h2 class="text-lg font-semibold break-words">{title}</h2>
        {description !== undefined && <p class="text-muted-foreground mt-1">{description}</p>}
      </div>
      {actions !== undefined && <div class="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
