import type { EnvironmentState, EnvironmentTier } from './environment.entity.js';
import type { EnvironmentRow } from './environments.repository.js';

/** Deployment environment of a project. */
export interface EnvironmentResponse {
  id: number;
  /** @example "production" */
  name: string;
  /**
   * Name in the form of a host name.
   * @example "review-fix-foo-k3x9q2"
   */
  slug: string;
  /** @example "https://www.example.com" */
  external_url: string | null;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  tier: EnvironmentTier;
  state: EnvironmentState;
}

/** An environment as endpoints of its project show it. */
export function presentEnvironment(row: EnvironmentRow): EnvironmentResponse {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    external_url: row.externalUrl,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    tier: row.tier,
    state: row.state,
  };
}
