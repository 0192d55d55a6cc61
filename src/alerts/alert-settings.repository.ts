import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { AlertSetting } from './alert-setting.entity.js';

/** The issue template of a project, as a file of its default branch. */
export interface WantedTemplate {
  projectId: number;
  storage: string;
  branch: string;
  key: string;
}

const TEMPLATES_SQL = `
  SELECT DISTINCT p.id AS "projectId", p.repository_storage AS storage,
    p.default_branch AS "branch", s.issue_template_key AS "key"
  FROM alerts a
  JOIN alert_settings s ON s.project_id = a.project_id
  JOIN projects p ON p.id = a.project_id
  WHERE a.id = ANY($1::bigint[]) AND s.issue_template_key IS NOT NULL AND NOT p.empty_repo
    AND p.default_branch IS NOT NULL`;

/** Owns every statement about the alert settings of projects. */
@Injectable()
export class AlertSettingsRepository extends Repository<AlertSetting> {
  constructor(dataSource: DataSource) {
    super(AlertSetting, dataSource.manager);
  }

  /** Returns the issue templates of the alerts' projects that chose one and have commits. */
  listTemplates(manager: EntityManager, alertIds: readonly number[]): Promise<WantedTemplate[]> {
    return manager.query<WantedTemplate[]>(TEMPLATES_SQL, [alertIds]);
  }
}
