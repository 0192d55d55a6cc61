import type { Environment } from './environment.entity.js';

/** An environment as it is read. */
export type EnvironmentRow = Omit<Environment, 'projectId'>;

export const ENVIRONMENT_COLUMNS = `
  e.id, e.name, e.slug, e.external_url AS "externalUrl", e.state, e.tier,
  e.created_at AS "createdAt", e.updated_at AS "updatedAt"`;
