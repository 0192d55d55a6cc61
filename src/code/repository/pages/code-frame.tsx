import type { ComponentChildren, VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { EmptyRepository } from '../../../workspace/projects/pages/empty-repository.js';
import { ProjectFrame, projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { codeAddresses } from './addresses.js';

/** Viewer and repository of a code page. */
export interface CodeView {
  pageContext: PageContext;
  project: ProjectRow;
}

type CodeTab = 'code' | 'commits' | 'branches';

interface CodeFrameProps extends CodeView {
  current: CodeTab;
  /** The heading of what is shown; that of the project is the first of the page. */
  title: ComponentChildren;
  description?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A page of a repository within its project. */
export function CodeFrame(props: CodeFrameProps): VNode {
  const { pageContext, project, current, title, description, actions, children } = props;
  return (
    <ProjectFrame project={project} viewer={pageContext.viewer} current={current}>
      <div class="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div class="min-w-0">
          <h2 class="text-lg font-semibold break-words">{title}</h2>
          {description !== undefined && <div class="text-muted-foreground mt-1">{description}</div>}
        </div>
        {actions !== undefined && <div class="flex flex-wrap items-end gap-2">{actions}</div>}
      </div>
      {children}
    </ProjectFrame>
  );
}

/** Branches, tags and comparisons are neighbours within one tab. */
export function ReferenceTabs({
  project,
  current,
}: {
  project: ProjectRow;
  current: string;
}): VNode {
  const { branches, tags, compare } = codeAddresses(project);
  const items = [
    { label: 'Branches', href: branches },
    { label: 'Tags', href: tags },
    { label: 'Compare', href: compare },
  ];
  return <Tabs label="References" items={items} current={current} variant="pills" />;
}

/** Placeholder for the code of an empty repository. */
export function emptyPage({ pageContext, project }: CodeView, current: CodeTab): HttpResponse {
  const access = { ...project, viewer: pageContext.viewer };
  const cloneUrl = `${pageContext.baseUrl}/${fullPathOf(project)}.git`;
  const mayPush = canInProject('push_code', access) && !project.archived;
  const content = (
    <ProjectFrame project={project} viewer={pageContext.viewer} current={current}>
      <EmptyRepository project={project} cloneUrl={cloneUrl} mayPush={mayPush} />
    </ProjectFrame>
  );
  return pageContext.render(content, projectInfo(project, 'Empty repository'));
}
