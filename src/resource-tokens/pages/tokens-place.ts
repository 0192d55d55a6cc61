import type { ComponentChildren, VNode } from 'preact';
import type { PageInfo } from '../../core/ui/shell.js';
import type { TokenResource } from '../token-resource.js';

/** The project or group whose access tokens a page is about. */
export interface TokensPlace {
  resource: TokenResource;
  /** Address of the page; the addresses of its forms begin with it. */
  path: string;
  info: PageInfo;
  /** Puts the content below the heading and tabs of the place. */
  frame(content: ComponentChildren): VNode;
}
