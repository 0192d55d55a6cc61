import type { VNode } from 'preact';
import {
  TODO_TYPES,
  type TodoAction,
  type TodoType,
} from '../../../core/activity/todos.repository.js';
import type { Page } from '../../../core/pagination/page.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import type { Choice } from '../../../core/ui/components/choice-fields.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';
import { ItemList, Pagination } from '../../../core/ui/components/list.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Icon } from '../../../core/ui/components/icon.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TODOS_PATH } from '../../../core/ui/components/todo-button.js';
import { WorkItem, ProjectReference } from '../../../core/ui/components/work-item.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { todoAction, todoPath, todoType } from '../todo-targets.service.js';
import type { TodoRow } from '../visible-todos.repository.js';

/** Reasons as filters. */
export const TODO_REASONS = {
  assigned: 'Assigned',
  review_requested: 'Review requested',
  mentioned: 'Mentioned',
  marked: 'Added by you',
} as const satisfies Record<TodoAction, string>;

/** Types of targets as filters. */
export const TODO_KINDS = {
  Issue: 'Issues',
  MergeRequest: 'Merge requests',
  'AlertManagement::Alert': 'Alerts',
} as const satisfies Record<TodoType, string>;

interface TodosPageProps {
  pageContext: PageContext;
  page: Page<TodoRow>;
  paging: { page: number; perPage: number };
  filters: { state: 'pending' | 'done'; action: TodoAction | null; type: TodoType | null };
  /** To-do that was marked as done just now. */
  undo: number | null;
}

/** Pending or done to-dos of the viewer. */
export function TodosPage(props: TodosPageProps): VNode {
  const { pageContext, page, paging, filters, undo } = props;
  const { csrfToken } = pageContext;
  const { state, action, type } = filters;
  const isPending = state === 'pending';
  const isFiltered = action !== null || type !== null;
  const addressOf = (tab: string): string => filledAddress(TODOS_PATH, { ...filters, state: tab });
  return (
    <>
      <PageHeader
        title="To-dos"
        actions={
          isPending &&
          page.items.length > 0 && (
            <PostButton action={`${TODOS_PATH}/done`} csrfToken={csrfToken}>
              Mark all as done
            </PostButton>
          )
        }
      />
      {undo !== null && <Undo id={undo} csrfToken={csrfToken} />}
      <Tabs
        label="State"
        items={[
          { label: 'Pending', href: addressOf('pending') },
          { label: 'Done', href: addressOf('done') },
        ]}
        current={addressOf(state)}
      />
      <FilterBar
        path={TODOS_PATH}
        search={false}
        fields={[
          { name: 'type', label: 'Type', value: type, options: choices(TODO_KINDS) },
          { name: 'action', label: 'Reason', value: action, options: choices(TODO_REASONS) },
        ]}
        kept={{ state }}
      />
      {page.items.length === 0 ? (
        <NoTodos isPending={isPending} isFiltered={isFiltered} />
      ) : (
        <Card flush>
          <ItemList label="To-dos">
            {page.items.map((todo) => (
              <TodoItem key={todo.id} todo={todo} csrfToken={csrfToken} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination page={page} paging={paging} path={TODOS_PATH} query={{ ...filters }} />
    </>
  );
}

function choices(names: Record<string, string>): Choice[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}

function Undo({ id, csrfToken }: { id: number; csrfToken: string }): VNode {
  return (
    <div class="alert flex items-center gap-3" role="status" data-tone="notice">
      Marked as done.
      <PostButton action={`${TODOS_PATH}/${id}/restore`} csrfToken={csrfToken} size="small">
        Undo
      </PostButton>
    </div>
  );
}

function NoTodos({ isPending, isFiltered }: { isPending: boolean; isFiltered: boolean }): VNode {
  if (isFiltered) return <EmptyState title="No to-dos match these filters" />;
  if (!isPending) return <EmptyState title="No completed to-dos" />;
  return (
    <EmptyState title="You're all caught up">
      Assignments, review requests and mentions appear here. Add your own with "Add to-do" on an
      issue, merge request or alert.
    </EmptyState>
  );
}

const ICONS = {
  issue: 'circle-dot',
  merge_request: 'git-pull-request',
  alert: 'bell-ring',
} as const;

const MARKS = { issue: '#', merge_request: '!', alert: '#' } as const;

/** Characters of a comment in a list. */
const EXCERPT_LENGTH = 140;

interface TodoItemProps {
  todo: TodoRow;
  csrfToken: string;
}

/** Target, reason, author and time of a to-do, with the button that ends it or brings it back. */
export function TodoItem({ todo, csrfToken }: TodoItemProps): VNode {
  const kind = TODO_TYPES[todoType(todo)];
  const project = `${todo.namespacePath}/${todo.projectPath}`;
  const isDone = todo.doneAt !== null;
  return (
    <WorkItem
      mark={<Icon name={ICONS[kind]} />}
      title={todo.title}
      href={todoPath(todo)}
      action={
        <PostButton
          action={`${TODOS_PATH}/${todo.id}/${isDone ? 'restore' : 'done'}`}
          csrfToken={csrfToken}
          size="small"
        >
          {isDone ? 'Restore' : 'Done'}
          <span class="sr-only">{`: ${todo.title}`}</span>
        </PostButton>
      }
      time={todo.createdAt}
      excerpt={todo.body === null ? undefined : excerpt(todo.body)}
    >
      <span class="max-sm:hidden">{`${reasonOf(todo)} · `}</span>
      <ProjectReference path={project} reference={`${MARKS[kind]}${todo.iid}`} />
      <span class="sm:hidden">{` · ${TODO_REASONS[todoAction(todo)]}`}</span>
    </WorkItem>
  );
}

function reasonOf(todo: TodoRow): string {
  const { name } = todo.author;
  const sentences: Record<TodoAction, string> = {
    assigned: `${name} assigned you`,
    review_requested: `${name} requested your review`,
    mentioned: `${name} mentioned you`,
    marked: 'You added this',
  };
  return sentences[todoAction(todo)];
}

function excerpt(text: string): string {
  const characters = Array.from(
    text
      .slice(0, EXCERPT_LENGTH * 2)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  if (characters.length <= EXCERPT_LENGTH) return characters.join('');
  return `${characters.slice(0, EXCERPT_LENGTH).join('')}…`;
}
