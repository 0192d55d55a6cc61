import type { Viewer } from '../../../core/access/viewer.js';
import type { PageInfo } from '../../../core/ui/page-context.js';
import type { GroupRow } from '../../groups/groups.repository.js';
import { groupInfo } from '../../groups/pages/group-frame.js';
import { projectInfo } from '../../projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { groupResource, projectResource, type TokenResource } from '../token-resource.js';

const TITLE = 'Access tokens';

/** A project as the pages of access tokens need it. */
export function projectTokensPageContext(
  project: ProjectRow,
  viewer: Viewer | null,
): TokensPageContext {
  return {
    resource: projectResource(project, viewer),
    path: `/${fullPathOf(project)}/-/settings/access_tokens`,
    info: projectInfo(project, TITLE),
  };
}

/** A group as the pages of access tokens need it. */
export function groupTokensPageContext(group: GroupRow, viewer: Viewer | null): TokensPageContext {
  return {
    resource: groupResource(group, viewer),
    path: `/groups/${group.fullPath}/-/settings/access_tokens`,
    info: groupInfo(group, TITLE),
  };
}

/** The project or group whose access tokens a page is about. */
export interface TokensPageContext {
  resource: TokenResource;
  /** Address of the page; the addresses of its forms begin with it. */
  path: string;
  info: PageInfo;
}
