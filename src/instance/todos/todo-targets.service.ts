import { Injectable } from '@nestjs/common';
import { presentAlert, type AlertResponse } from '../../alerts/alert.presenter.js';
import { AlertsRepository } from '../../alerts/alerts.repository.js';
import { presentMergeRequestElsewhere } from '../../code/merge-requests/merge-request.presenter.js';
import type { MergeRequestInListResponse } from '../../code/merge-requests/merge-request.response.js';
import { MergeRequestsRepository } from '../../code/merge-requests/merge-requests.repository.js';
import {
  TODO_ACTIONS,
  TODO_TYPES,
  type TodoAction,
  type TodoType,
} from '../../core/activity/todos.repository.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { ResponseContext } from '../../core/response-context.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import {
  presentIssueElsewhere,
  type IssueInListResponse,
} from '../../workspace/issues/issue.response.js';
import { IssuesRepository } from '../../workspace/issues/issues.repository.js';
import { presentProjectIdentity } from '../../workspace/projects/project.presenter.js';
import type { ProjectIdentityResponse } from '../../workspace/projects/project.response.js';
import type { TodoRow } from './visible-todos.repository.js';

/** Issue, merge request or alert, as lists show them. */
type TodoTargetResponse = IssueInListResponse | MergeRequestInListResponse | AlertResponse;

/** To-do of the viewer. */
export interface TodoResponse {
  id: number;
  project: ProjectIdentityResponse;
  author: UserBasicResponse;
  action_name: TodoAction;
  target_type: TodoType;
  /** Null if the user can no longer read it. */
  target: TodoTargetResponse | null;
  target_url: string;
  /** Comment that mentions the viewer, or the title of the target. */
  body: string;
  state: 'pending' | 'done';
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
}

/** Returns the type of a to-do's target in the words of version 4. */
export function todoType({ issueId, mergeRequestId }: TodoRow): TodoType {
  if (issueId !== null) return 'Issue';
  return mergeRequestId !== null ? 'MergeRequest' : 'AlertManagement::Alert';
}

/** Returns the reason of a to-do. */
export function todoAction({ action }: TodoRow): TodoAction {
  const names = Object.keys(TODO_ACTIONS) as TodoAction[];
  return names.find((name) => TODO_ACTIONS[name] === action) ?? 'marked';
}

const PAGES = {
  issue: (iid: number) => `issues/${iid}`,
  merge_request: (iid: number) => `merge_requests/${iid}`,
  alert: (iid: number) => `alert_management/${iid}/details`,
} as const;

/** Returns the path of the page of a to-do's target, at the comment that mentions the user. */
export function todoPath(row: TodoRow): string {
  const page = PAGES[TODO_TYPES[todoType(row)]](row.iid);
  const anchor = row.noteId === null ? '' : `#note_${row.noteId}`;
  return `/${row.namespacePath}/${row.projectPath}/-/${page}${anchor}`;
}

/** A to-do with its target. */
function presentTodo(
  row: TodoRow,
  target: TodoTargetResponse | null,
  baseUrl: string,
): TodoResponse {
  return {
    id: row.id,
    project: presentProjectIdentity({
      id: row.projectId,
      name: row.projectName,
      path: row.projectPath,
      description: row.projectDescription,
      createdAt: row.projectCreatedAt,
      namespace: { fullPath: row.namespacePath, fullName: row.namespaceName },
    }),
    author: presentUserBasic(row.author, baseUrl),
    action_name: todoAction(row),
    target_type: todoType(row),
    target,
    target_url: baseUrl + todoPath(row),
    body: row.body ?? row.title,
    state: row.doneAt === null ? 'pending' : 'done',
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

type Targets = Map<number, TodoTargetResponse>;

const idsOf = (rows: readonly TodoRow[], key: 'issueId' | 'mergeRequestId' | 'alertId'): number[] =>
  rows.flatMap((row) => row[key] ?? []);

/** Presents to-dos with their targets: at most one statement for each type of target. */
@Injectable()
export class TodoTargets {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly alerts: AlertsRepository,
  ) {}

  async present(
    rows: readonly TodoRow[],
    context: ResponseContext,
    paging: Paging,
  ): Promise<TodoResponse[]> {
    const [issues, mergeRequests, alerts] = await Promise.all([
      this.issuesOf(idsOf(rows, 'issueId'), context, paging),
      this.mergeRequestsOf(idsOf(rows, 'mergeRequestId'), context, paging),
      this.alertsOf(rows, context),
    ]);
    return rows.map((row) => {
      const { issueId, mergeRequestId, alertId } = row;
      const target =
        issues.get(issueId ?? 0) ??
        mergeRequests.get(mergeRequestId ?? 0) ??
        alerts.get(alertId ?? 0);
      return presentTodo(row, target ?? null, context.baseUrl);
    });
  }

  private async issuesOf(
    ids: readonly number[],
    context: ResponseContext,
    paging: Paging,
  ): Promise<Targets> {
    if (ids.length === 0) return new Map();
    const query = { filters: {}, paging: paging.latest(ids.length) };
    const { items } = await this.issues.list(context.viewer, { ids }, query);
    return new Map(items.map((row) => [row.id, presentIssueElsewhere(row, context)]));
  }

  private async mergeRequestsOf(
    ids: readonly number[],
    context: ResponseContext,
    paging: Paging,
  ): Promise<Targets> {
    if (ids.length === 0) return new Map();
    const query = { filters: {}, paging: paging.latest(ids.length) };
    const { items } = await this.mergeRequests.list(context.viewer, { ids }, query);
    return new Map(items.map((row) => [row.id, presentMergeRequestElsewhere(row, context)]));
  }

  private async alertsOf(rows: readonly TodoRow[], { baseUrl }: ResponseContext): Promise<Targets> {
    const ids = idsOf(rows, 'alertId');
    if (ids.length === 0) return new Map();
    const found = new Map((await this.alerts.listByIds(ids)).map((alert) => [alert.id, alert]));
    return new Map(
      rows.flatMap((row) => {
        const alert = found.get(row.alertId ?? 0);
        if (alert === undefined) return [];
        const project = {
          id: row.projectId,
          path: row.projectPath,
          issuesEnabled: row.issuesEnabled,
          namespace: { fullPath: row.namespacePath },
        };
        return [[alert.id, presentAlert(alert, { project, baseUrl })] as const];
      }),
    );
  }
}
