import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { Sql } from '../../core/sql/sql.service.js';
import { Project } from '../../workspace/projects/project.entity.js';
import type { DemoAlert } from './alerts.js';
import type { DatedPeriod } from './timeline.js';

/** Times of rows that follow their action into the past. */
const DATED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  users: ['created_at', 'updated_at', 'confirmed_at'],
  namespaces: ['created_at', 'updated_at'],
  members: ['created_at', 'updated_at'],
  projects: ['created_at', 'updated_at', 'last_activity_at'],
  snippets: ['created_at', 'updated_at'],
  milestones: ['created_at', 'updated_at'],
  issues: ['created_at', 'updated_at', 'closed_at'],
  issue_state_events: ['created_at'],
  merge_requests: ['created_at', 'updated_at', 'merged_at', 'closed_at'],
  notes: ['created_at', 'updated_at'],
  events: ['created_at'],
  todos: ['created_at', 'updated_at'],
  pipelines: ['created_at', 'updated_at', 'finished_at'],
  commit_statuses: ['created_at', 'started_at', 'finished_at'],
  environments: ['created_at', 'updated_at'],
  alert_integrations: ['created_at', 'updated_at'],
  alert_deliveries: ['created_at'],
  alerts: ['created_at', 'updated_at', 'last_event_at', 'started_at', 'ended_at'],
  oauth_applications: ['created_at', 'updated_at'],
};

/** Owns the statements that only demo data needs. */
@Injectable()
export class DemoRepository extends Repository<Project> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Project, dataSource.manager);
  }

  /** Returns the time of the database, which dates the rows. */
  async findTime(): Promise<Date> {
    const row = await this.queries.row<{ now: Date }>('SELECT clock_timestamp() AS now', []);
    return row?.now ?? new Date();
  }

  /** Dates what was written during the periods; what others write meanwhile is dated like it. */
  async date(periods: readonly DatedPeriod[]): Promise<void> {
    const values = [
      periods.map(({ from }) => from),
      // Columns are rounded to milliseconds.
      periods.map(({ to }) => new Date(to.getTime() + 1)),
      periods.map(({ at }) => at),
    ];
    for (const [table, columns] of Object.entries(DATED_COLUMNS)) {
      for (const column of columns) {
        await this.manager.query(
          `UPDATE "${table}" t SET "${column}" = p.at + (t."${column}" - p.started)
           FROM unnest($1::timestamptz[], $2::timestamptz[], $3::timestamptz[])
             AS p(started, ended, at)
           WHERE t."${column}" BETWEEN p.started AND p.ended`,
          values,
        );
      }
    }
  }

  /** Spreads the events of a project's alert over the hours until `end`; `totals` are those of their beginnings. */
  async spreadEvents(
    projectId: number,
    { title, events }: DemoAlert,
    totals: readonly number[],
    end: Date,
  ): Promise<void> {
    await this.manager.query(
      `UPDATE alerts SET hour_totals = $2, last_event_at = $3,
         totals_hour = floor(extract(epoch FROM $3::timestamptz) / 3600)
       WHERE title = $1 AND event_count = $4 AND project_id = $5`,
      [title, totals, end, events, projectId],
    );
  }
}
