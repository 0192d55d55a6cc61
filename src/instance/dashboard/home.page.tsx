import type { ComponentChildren, VNode } from 'preact';
import type { MergeRequestRow } from '../../code/merge-requests/sql/merge-requests.js';
import { countText } from '../../core/ui/amounts.js';
import { Avatar } from '../../core/ui/components/avatar.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { Badge, Card, EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { Item, ItemList } from '../../core/ui/components/list.js';
import { TODOS_PATH } from '../../core/ui/components/todo-button.js';
import { WorkItem } from '../../core/ui/components/work-item.js';
import { Feed } from '../../events/pages/feed.js';
import type { FeedEvent } from '../../events/pages/feed-reader.service.js';
import type { IssueRow } from '../../workspace/issues/sql/issue-list.js';
import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';
import { TodoItem } from '../todos/pages/todos.page.js';
import type { TodoRow } from '../todos/visible-todos.repository.js';
import { AlertItem, ErrorItem, IssueItem, ReviewItem } from './home-items.js';
import type { AdminWork, HomeAlert, HomeError } from './home.repository.js';

/** Lists of work over all projects, which the cards of the home page begin. */
export const WORK_PATHS = {
  reviews: '/dashboard/merge_requests',
  issues: '/dashboard/issues',
  alerts: '/dashboard/alerts',
  errors: '/dashboard/errors',
} as const;

interface HomeProps {
  csrfToken: string;
  todos: TodoRow[];
  reviews: MergeRequestRow[];
  issues: IssueRow[];
  alerts: HomeAlert[];
  errors: HomeError[];
  /** null for everyone but administrators. */
  admin: AdminWork | null;
  projects: ProjectRow[];
  events: FeedEvent[];
  mayCreateGroups: boolean;
}

/** Work that waits for the viewer, then recent projects and activity. */
export function HomePage(props: HomeProps): VNode {
  const { csrfToken, todos, reviews, issues, alerts, errors, admin, projects, events } = props;
  return (
    <>
      <PageHeader title="Home" actions={<Actions mayCreateGroups={props.mayCreateGroups} />} />
      <div class="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        <div class="grid grid-cols-1 gap-4">
          <ListCard title="To-dos" all={TODOS_PATH} none="You're all caught up.">
            {todos.map((todo) => (
              <TodoItem key={todo.id} todo={todo} csrfToken={csrfToken} />
            ))}
          </ListCard>
          <ListCard
            title="Review requests"
            all={WORK_PATHS.reviews}
            none="No open review requests."
          >
            {reviews.map((row) => (
              <ReviewItem key={row.id} row={row} />
            ))}
          </ListCard>
          <ListCard title="Assigned issues" all={WORK_PATHS.issues} none="No open issues.">
            {issues.map((row) => (
              <IssueItem key={row.id} row={row} />
            ))}
          </ListCard>
          <ListCard title="Recent projects" all="/dashboard/projects" none={<NoProjects />}>
            {projects.map((project) => (
              <ProjectItem key={project.id} project={project} />
            ))}
          </ListCard>
        </div>
        <div class="grid grid-cols-1 gap-4">
          {admin !== null && <AdminCard {...admin} />}
          <ListCard title="Firing alerts" all={WORK_PATHS.alerts} none="No alerts are firing.">
            {alerts.map((alert) => (
              <AlertItem key={`${alert.fullPath} ${alert.iid}`} alert={alert} />
            ))}
          </ListCard>
          <ListCard
            title="New and regressed errors"
            all={WORK_PATHS.errors}
            none="No new errors this week."
          >
            {errors.map((error) => (
              <ErrorItem key={error.id} error={error} />
            ))}
          </ListCard>
        </div>
      </div>
      {events.length > 0 && (
        <section class="grid min-w-0 gap-2" aria-label="Recent activity">
          <div class="section-head">
            <h2>Recent activity</h2>
            <ViewAll href="/dashboard/activity" of="activity" />
          </div>
          <Feed events={events} namesProjects headings="h3" />
        </section>
      )}
    </>
  );
}

function Actions({ mayCreateGroups }: { mayCreateGroups: boolean }): VNode {
  return (
    <>
      {mayCreateGroups && (
        <ButtonLink href="/groups/new" variant="outline">
          New group
        </ButtonLink>
      )}
      <ButtonLink href="/projects/new">New project</ButtonLink>
    </>
  );
}

function NoProjects(): VNode {
  return (
    <>
      {'You are not a member of any project yet. '}
      <a class="prose-link" href="/explore">
        Explore projects
      </a>
    </>
  );
}

interface ListCardProps {
  title: string;
  /** Address of the whole list. */
  all: string;
  /** In place of an empty list. */
  none: ComponentChildren;
  /** Items. */
  children: VNode[];
}

function ListCard({ title, all, none, children }: ListCardProps): VNode {
  const isEmpty = children.length === 0;
  return (
    <Card title={title} actions={!isEmpty && <ViewAll href={all} of={title.toLowerCase()} />} flush>
      {isEmpty ? (
        <p class="text-muted-foreground px-3 py-2.5">{none}</p>
      ) : (
        <ItemList label={title}>{children}</ItemList>
      )}
    </Card>
  );
}

function ViewAll({ href, of }: { href: string; of: string }): VNode {
  return (
    <a class="prose-link" href={href}>
      View all
      <span class="sr-only">{` ${of}`}</span>
    </a>
  );
}

function ProjectItem({ project }: { project: ProjectRow }): VNode {
  const path = fullPathOf(project);
  return (
    <WorkItem
      mark={<Avatar name={project.name} owner={project} kind="project" />}
      title={project.name}
      href={`/${path}`}
      time={project.lastActivityAt}
    >
      {path}
    </WorkItem>
  );
}

function AdminCard({ failedMoves, failedMails }: AdminWork): VNode | null {
  if (failedMoves + failedMails === 0) return null;
  const rows = [
    {
      label: 'Failed storage moves',
      count: failedMoves,
      href: '/admin/storage_moves?state=failed',
    },
    { label: 'Undelivered emails', count: failedMails, href: '/admin/mails' },
  ].filter(({ count }) => count > 0);
  return (
    <Card title="Administration" flush>
      <ItemList label="Administration">
        {rows.map(({ label, count, href }) => (
          <Item key={href} title={<a href={href}>{label}</a>}>
            <Badge tone="danger">{countText(count)}</Badge>
          </Item>
        ))}
      </ItemList>
    </Card>
  );
}

interface WorkPageProps {
  title: string;
  none: string;
  children: VNode[];
  /** Links to other pages of the list. */
  pagination?: VNode;
}

/** One of the lists of work over all projects. */
export function WorkPage({ title, none, children, pagination }: WorkPageProps): VNode {
  return (
    <>
      <PageHeader title={title} />
      {children.length === 0 ? (
        <EmptyState title={none} />
      ) : (
        <Card flush>
          <ItemList label={title}>{children}</ItemList>
        </Card>
      )}
      {pagination}
    </>
  );
}
