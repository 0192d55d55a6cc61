import type { ComponentChildren, VNode } from 'preact';
import { TextWithCode } from './markdown.js';
import { Time } from './time.js';

interface WorkItemProps {
  /** Icon, badge or avatar before the text. */
  mark: VNode;
  title: string;
  href: string;
  /** Badges after the title. */
  badges?: ComponentChildren;
  /** Its button. */
  action?: VNode;
  /** Of its last change. */
  time: Date;
  /** Beginning of a text, left out on phones. */
  excerpt?: string | undefined;
  /** Place and reason, below the title. */
  children: ComponentChildren;
}

/** Something to do, of any project, in two lines: one of an `ItemList`. */
export function WorkItem({ mark, title, href, badges, action, ...props }: WorkItemProps): VNode {
  const { time, excerpt, children } = props;
  return (
    <li class="item work">
      {mark}
      <div>
        <div class="work-title">
          <a href={href} title={title}>
            {title}
          </a>
          {badges}
        </div>
        <div class="item-detail">
          <span class="work-facts">
            <span>{children}</span>
            <span>
              {' · '}
              <Time value={time} />
            </span>
          </span>
          {excerpt !== undefined && (
            <div class="truncate max-sm:hidden">
              <TextWithCode text={excerpt} />
            </div>
          )}
        </div>
      </div>
      {action}
    </li>
  );
}

interface ProjectReferenceProps {
  /** Full path of a project. */
  path: string;
  /** Reference in the project: `#12`. */
  reference?: string;
}

/** Project path and reference; phones show only the project. */
export function ProjectReference({ path, reference = '' }: ProjectReferenceProps): VNode {
  const at = path.lastIndexOf('/') + 1;
  return (
    <>
      <span class="max-sm:hidden">{path.slice(0, at)}</span>
      {path.slice(at) + reference}
    </>
  );
}
