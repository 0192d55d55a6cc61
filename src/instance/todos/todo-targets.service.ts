import { Injectable } from '@nestjs/common';
import { presentAlert } from '../../alerts/alert.presenter.js';
import { AlertsRepository } from '../../alerts/alerts.repository.js';
import { presentMergeRequestElsewhere } from '../../code/merge-requests/merge-request.presenter.js';
import { MergeRequestsRepository } from '../../code/merge-requests/merge-requests.repository.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { ResponseContext } from '../../core/response-context.js';
import { presentIssueElsewhere } from '../../workspace/issues/issue.response.js';
import { IssuesRepository } from '../../workspace/issues/issues.repository.js';
import { presentTodo, type TodoResponse, type TodoTargetResponse } from './todo.response.js';
import type { TodoRow } from './visible-todos.repository.js';

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
