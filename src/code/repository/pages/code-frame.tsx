import type { VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { encodePath } from '../../../core/ui/addresses.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { projectInfo, EmptyRepository } from '../../../workspace/projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { Spot } from '../project-repository.service.js';
import { PageHeader } from '../../../core/ui/components/content.js';

/** Addresses of the pages of one repository, all below the site's root. */
export interface CodeAddresses {
  branches: string;
  tags: string;
  compare: string;
  switcher: string;
  tree(ref: string, path?: string): string;
  blob(ref: string, path: string): string;
  raw(ref: string, path: string): string;
  commits(ref: string, path?: string): string;
  commit(id: string): string;
  comparison(from: string, to: string): string;
  mergeRequest(iid: number): string;
  /** The form for a merge request of this branch. */
  newMergeRequest(branch: string): string;
}

export function codeAddresses(project: Pick<ProjectRow, 'path' | 'namespace'>): CodeAddresses {
  const base = `/${fullPathOf(project)}/-`;
  const file = (kind: string) => (ref: string, path: string) =>
    `${base}/${kind}/${encodeFilePath(path === '' ? ref : `${ref}/${path}`)}`;
  const compare = `${base}/compare`;
  return {
    branches: `${base}/branches`,
    tags: `${base}/tags`,
    compare,
    switcher: `${base}/refs/switch`,
    tree: (ref, path = '') => file('tree')(ref, path),
    blob: file('blob'),
    raw: file('raw'),
    commits: (ref, path = '') => file('commits')(ref, path),
    commit: (id) => `${base}/commit/${encodeURIComponent(id)}`,
    comparison: (from, to) => `${compare}?${new URLSearchParams({ from, to }).toString()}`,
    mergeRequest: (iid) => `${base}/merge_requests/${iid}`,
    newMergeRequest: (branch) =>
      `${base}/merge_requests/new?${new URLSearchParams({ 'merge_request[source_branch]': branch }).toString()}`,
  };
}

/** A folder that is called `-` would look like the end of the project's own path. */
function encodeFilePath(path: string): string {
  return encodePath(path).replace(/(?<=\/)-(?=\/|$)/g, '%2D');
}

/** Viewer and repository of a code page. */
export interface CodeView {
  pageContext: PageContext;
  project: ProjectRow;
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
  return <Tabs label="References" items={items} current={current} />;
}

/** Placeholder for the code of an empty repository, under the title of the page that lacks it. */
export function emptyPage({ pageContext, project }: CodeView, title: string): HttpResponse {
  const access = { ...project, viewer: pageContext.viewer };
  const cloneUrl = `${pageContext.baseUrl}/${fullPathOf(project)}.git`;
  const mayPush = canInProject('push_code', access) && !project.archived;
  const content = (
    <>
      <PageHeader title={title} />
      <EmptyRepository project={project} cloneUrl={cloneUrl} mayPush={mayPush} />
    </>
  );
  return pageContext.render(content, projectInfo(project, title));
}

/**
 * Returns true if the viewer can create branches and tags, and delete branches other than the
 * default.
 */
export function mayPushHere({ pageContext, project }: CodeView): boolean {
  return !project.archived && canInProject('push_code', { ...project, viewer: pageContext.viewer });
}

/** Returns true if the viewer can delete tags. */
export function mayDeleteTagsHere({ pageContext, project }: CodeView): boolean {
  return (
    !project.archived && canInProject('push_protected', { ...project, viewer: pageContext.viewer })
  );
}

/** Returns true if the viewer can see merge requests. */
export function maySeeMergeRequestsHere({ pageContext, project }: CodeView): boolean {
  const access = { ...project, viewer: pageContext.viewer };
  return project.mergeRequestsEnabled && canInProject('read_merge_request', access);
}

/** Returns true if the viewer can open merge requests. */
export function mayProposeHere({ pageContext, project }: CodeView): boolean {
  const access = { ...project, viewer: pageContext.viewer };
  const isOpen = project.mergeRequestsEnabled && !project.archived;
  return isOpen && canInProject('create_merge_request', access);
}

interface PathStepsProps {
  project: Pick<ProjectRow, 'path'>;
  spot: Spot;
  addresses: CodeAddresses;
}

/** The way to a file or folder from the root of its repository; each step above it is a link. */
export function PathSteps({ project, spot, addresses }: PathStepsProps): VNode {
  const { ref, path } = spot;
  const names = path === '' ? [] : path.split('/');
  const steps = [
    { name: project.path, href: addresses.tree(ref) },
    ...names.map((name, at) => ({
      name,
      href: addresses.tree(ref, names.slice(0, at + 1).join('/')),
    })),
  ];
  return (
    <nav aria-label="Path">
      <ol class="flex flex-wrap items-baseline gap-x-1.5 font-mono text-sm break-all">
        {steps.map(({ name, href }, at) => (
          <li key={href} class="flex items-baseline gap-x-1.5">
            {at > 0 && <span aria-hidden="true">/</span>}
            {at === steps.length - 1 ? (
              <span aria-current="location">{name}</span>
            ) : (
              <a class="prose-link py-0.5" href={href}>
                {name}
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
