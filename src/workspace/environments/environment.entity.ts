import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';
import { Project } from '../projects/project.entity.js';

export type EnvironmentState = 'available' | 'stopped';

export const ENVIRONMENT_TIERS = [
  'production',
  'staging',
  'testing',
  'development',
  'other',
] as const;
export type EnvironmentTier = (typeof ENVIRONMENT_TIERS)[number];

/** Where a project runs, by a name that alerts refer to. */
@Entity('environments')
@Index('uq_environments_project_name', ['projectId', 'name'], { unique: true })
@Index('uq_environments_project_slug', ['projectId', 'slug'], { unique: true })
@Check('ck_environments_state', `"state" IN ('available', 'stopped')`)
@Check(
  'ck_environments_tier',
  `"tier" IN ('production', 'staging', 'testing', 'development', 'other')`,
)
@Check('ck_environments_name', `char_length("name") BETWEEN 1 AND 255`)
export class Environment extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_environments',
  })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_environments_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @Column({ type: 'text', name: 'name' })
  name: string;

  /** The name as a part of host names: at most 24 of a-z, 0-9 and hyphens. */
  @Column({ type: 'text', name: 'slug' })
  slug: string;

  @Column({ type: 'text', name: 'external_url', nullable: true })
  externalUrl: string | null;

  @Column({ type: 'text', name: 'state', default: 'available' })
  state: EnvironmentState;

  @Column({ type: 'text', name: 'tier', default: 'other' })
  tier: EnvironmentTier;
}
