import type { ComponentChildren, VNode } from 'preact';
import type { PageInfo } from '../../../core/ui/page-context.js';
import type { MemberSource } from '../member-source.js';
import type { MemberManager } from '../members.service.js';

/** The project or group whose members a page is about, as its feature describes it. */
export interface MembersPageContext {
  source: MemberSource;
  /** Viewer, and their level there. */
  manager: MemberManager;
  mayManage: boolean;
  /** Address of the page; the addresses of its forms begin with it. */
  path: string;
  info: PageInfo;
  /** Puts the content below the heading and tabs of the place. */
  frame(content: ComponentChildren): VNode;
}
