import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError } from 'typeorm';
import { ForbiddenError, NotFoundError, ValidationFailedError } from '../core/errors.js';
import { assertSomethingGiven } from '../core/params/something-given.js';
import type { CreateEnvironmentDto } from './dto/create-environment.dto.js';
import { UPDATABLE_ATTRIBUTES, type UpdateEnvironmentDto } from './dto/update-environment.dto.js';
import { assertEnvironment, guessedTier } from './environment-rules.js';
import { environmentSlug, suffixedSlug } from './environment-slug.js';
import { Environment } from './environment.entity.js';

const SLUG_ATTEMPTS = 5;

/** Makes, changes, stops and deletes environments of a project whose asker may do that. */
@Injectable()
export class EnvironmentsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Answers the new environment's id; throws 400 for what it cannot have, a taken name too. */
  async create(projectId: number, dto: CreateEnvironmentDto): Promise<number> {
    assertEnvironment(dto);
    const { name, external_url: url, tier } = dto;
    const attributes = {
      projectId,
      name,
      externalUrl: url || null,
      tier: tier ?? guessedTier(name),
    };
    const slug = environmentSlug(name);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const row = { ...attributes, slug: attempt === 1 ? slug : suffixedSlug(slug) };
        const inserted = await this.dataSource.manager.insert(Environment, row);
        return (inserted.identifiers[0] as { id: number }).id;
      } catch (error) {
        const isSlugTaken = constraintOf(error) === 'uq_environments_project_slug';
        if (!isSlugTaken || attempt === SLUG_ATTEMPTS) throw translated(error);
      }
    }
  }

  /** The slug stays as it is. Throws 400 as for a new one, 404 when it is gone. */
  async update(id: number, dto: UpdateEnvironmentDto): Promise<void> {
    assertSomethingGiven(dto, UPDATABLE_ATTRIBUTES);
    assertEnvironment(dto);
    const { name, external_url: url, tier } = dto;
    const changes = {
      ...(name != null && { name }),
      ...(url !== undefined && { externalUrl: url || null }),
      ...(tier != null && { tier }),
    };
    await this.change(id, changes);
  }

  /** Stopping a stopped one changes nothing. Throws 404 when it is gone. */
  async stop({ id, state }: Pick<Environment, 'id' | 'state'>): Promise<void> {
    if (state !== 'stopped') await this.change(id, { state: 'stopped' });
  }

  /** Throws 403 for one that is not stopped; alerts that named it stay. */
  async delete(id: number): Promise<void> {
    const { affected } = await this.dataSource.manager.delete(Environment, {
      id,
      state: 'stopped',
    });
    if (affected === 0) throw new ForbiddenError();
  }

  private async change(id: number, changes: Partial<Environment>): Promise<void> {
    try {
      const set = { ...changes, updatedAt: () => 'now()' };
      const { affected } = await this.dataSource.manager.update(Environment, { id }, set);
      if (affected === 0) throw new NotFoundError();
    } catch (error) {
      throw translated(error);
    }
  }
}

function constraintOf(error: unknown): string | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  return (error.driverError as { constraint?: string }).constraint;
}

function translated(error: unknown): unknown {
  if (constraintOf(error) === 'fk_environments_project') return new NotFoundError('Project');
  if (constraintOf(error) !== 'uq_environments_project_name') return error;
  return new ValidationFailedError({ name: ['has already been taken'] });
}
