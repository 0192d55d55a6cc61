import type { ComponentChildren, VNode } from 'preact';

interface WorkItemProps {
  /** Icon, badge or avatar before the text. */
  mark: VNode;
  title: string;
  href: string;
  /** Badges after the title. */
  badges?: ComponentChildren;
  /** Its button. */
  action?: VNode;
  /** Line below the title. */
  children: ComponentChildren;
}

/** Something to do, of any project, in two lines: one of an `ItemList`. */
export function WorkItem({ mark, title, href, badges, action, children }: WorkItemProps): VNode {
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
        <div class="item-detail">{children}</div>
      </div>
      {action}
    </li>
  );
}
