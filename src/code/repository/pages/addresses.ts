import { encodePath } from '../../../core/http/encode-path.js';
import { fullPathOf, type ProjectRow } from '../../../workspace/projects/projects.repository.js';

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
    newMergeRequest: (branch) =>
      `${base}/merge_requests/new?${new URLSearchParams({ 'merge_request[source_branch]': branch }).toString()}`,
  };
}

/** A folder that is called `-` would look like the end of the project's own path. */
function encodeFilePath(path: string): string {
  return encodePath(path).replace(/(?<=\/)-(?=\/|$)/g, '%2D');
}
