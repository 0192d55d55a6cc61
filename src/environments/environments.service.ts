import { Injectable } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { ForbiddenError, NotFoundError, ValidationFailedError } from '../core/errors.js';
import { assertSomethingGiven } from '../core/params/something-given.js';
import { assertEnvironment, guessedTier } from './environment-rules.js';
import { environmentSlug, suffixedSlug } from './environment-slug.js';
import {
  UPDATABLE_ATTRIBUTES,
  type CreateEnvironmentDto,
  type UpdateEnvironmentDto,
} from './environment.dto.js';
import type { Environment } from './environment.entity.js';
import { EnvironmentsRepository } from './environments.repository.js';

const SLUG_ATTEMPTS = 5;

/** Creates, changes, stops and deletes environments; the caller checks the actor's ability. */
@Injectable()
export class EnvironmentsService {
  constructor(private readonly environments: EnvironmentsRepository) {}

  /** Returns the id; throws ValidationFailedError, or NotFoundError without the project. */
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
        const inserted = await this.environments.insert(row);
        return (inserted.identifiers[0] as { id: number }).id;
      } catch (error) {
        const isSlugTaken = constraintOf(error) === 'uq_environments_project_slug';
        if (!isSlugTaken || attempt === SLUG_ATTEMPTS) throw translated(error);
      }
    }
  }

  /** Keeps the slug. Throws ValidationFailedError, or NotFoundError when it is gone. */
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

  /** Changes nothing if the environment is stopped already. Throws NotFoundError when it is gone. */
  async stop({ id, state }: Pick<Environment, 'id' | 'state'>): Promise<void> {
    if (state !== 'stopped') await this.change(id, { state: 'stopped' });
  }

  /** Throws ForbiddenError unless the environment is stopped; its alerts stay. */
  async delete(id: number): Promise<void> {
    const { affected } = await this.environments.delete({ id, state: 'stopped' });
    if (affected === 0) throw new ForbiddenError();
  }

  private async change(id: number, changes: Partial<Environment>): Promise<void> {
    try {
      const set = { ...changes, updatedAt: () => 'now()' };
      const { affected } = await this.environments.update({ id }, set);
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
