import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { ForbiddenError, NotFoundError, ValidationFailedError } from '../../core/errors.js';
import { assertSomethingGiven } from '../../core/params/input.decorator.js';
import {
  UPDATABLE_ATTRIBUTES,
  type CreateEnvironmentDto,
  type UpdateEnvironmentDto,
} from './environment.dto.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import {
  EnvironmentsRepository,
  type Environment,
  type EnvironmentTier,
} from './environments.repository.js';

const MAX_LENGTH = 255;
const NAME = /^[\p{L}\p{N}_$ {}./-]+$/u;
const NAME_MESSAGE =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, " +
  "but it cannot start or end with '/'";

const MAX_SLUG_LENGTH = 24;
const SUFFIX_LENGTH = 6;
const SUFFIX_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Returns the slug for host names: a-z, 0-9 and single hyphens, begins with a letter, at most 24
 * characters. A slug that differs from the name ends in six random characters, as in v4, so that
 * similar names stay distinct.
 */
export function environmentSlug(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .replace(/--+/g, '-');
  const plain = /^[a-z]/.test(words) ? words : `env-${words}`.replace('--', '-');
  const isName = plain === name && plain.length <= MAX_SLUG_LENGTH && !plain.endsWith('-');
  return isName ? plain : suffixedSlug(plain);
}

/** Such a slug in any case with six random characters, for one that is taken. */
export function suffixedSlug(slug: string): string {
  const kept = slug.slice(0, MAX_SLUG_LENGTH - SUFFIX_LENGTH - 1).replace(/-$/, '');
  return `${kept}-${randomSuffix()}`;
}

function randomSuffix(): string {
  const characters = Array.from({ length: SUFFIX_LENGTH }, () => {
    return SUFFIX_CHARACTERS.charAt(randomInt(SUFFIX_CHARACTERS.length));
  });
  return characters.join('');
}

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

/** Parts of names by which v4 recognizes a tier, in their order. */
const TIER_WORDS: readonly [EnvironmentTier, readonly string[]][] = [
  ['development', ['dev', 'review', 'trunk']],
  ['testing', ['test', 'tst', 'int', 'accept', 'qa', 'qc', 'quality', 'control']],
  ['staging', ['stag', 'stg', 'pre', 'demo', 'model', 'non']],
  ['production', ['prod', 'prd', 'live']],
];

/** 403 in an archived project, which is read-only for everyone. */
export function assertTakesEnvironments(project: ProjectRow): void {
  if (project.archived) throw new ForbiddenError();
}

/** 400 with messages per attribute for what an environment cannot have (API doc, Errors 2). */
function assertEnvironment(given: {
  name?: string | null | undefined;
  external_url?: string | null | undefined;
}): void {
  const messages = {
    ...problem('name', nameProblem(given.name)),
    ...problem('external_url', urlProblem(given.external_url)),
  };
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
}

/** Returns the tier that the name suggests, for environments without one. */
function guessedTier(name: string): EnvironmentTier {
  const lower = name.toLowerCase();
  const known = TIER_WORDS.find(([, words]) => words.some((word) => lower.includes(word)));
  return known?.[0] ?? 'other';
}

function problem(attribute: string, text: string | null): Record<string, string[]> {
  return text === null ? {} : { [attribute]: [text] };
}

/** As a filter of alerts `None` means no environment. */
const RESERVED_NAME = 'None';

function nameProblem(name: string | null | undefined): string | null {
  if (name === RESERVED_NAME) return 'is reserved';
  if (name == null) return null;
  if (name.trim() === '') return "can't be blank";
  if (name.length > MAX_LENGTH) return tooLong();
  const isGood = NAME.test(name) && !name.startsWith('/') && !name.endsWith('/');
  return isGood ? null : NAME_MESSAGE;
}

/** It becomes a link for others, so only what browsers open without running it. */
function urlProblem(url: string | null | undefined): string | null {
  if (!url) return null;
  if (url.length > MAX_LENGTH) return tooLong();
  const isWebAddress = /^https?:\/\/[^\s]+$/i.test(url) && URL.canParse(url);
  return isWebAddress ? null : 'must be a valid URL with http or https';
}

function tooLong(): string {
  return `is too long (maximum is ${MAX_LENGTH} characters)`;
}
