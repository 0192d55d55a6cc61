import { Injectable } from '@nestjs/common';
import { DataSource, MoreThan, type EntityManager } from 'typeorm';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditLog, changesBetween } from '../../core/audit/audit.service.js';
import { ConflictError, ValidationFailedError } from '../../core/errors.js';
import { assertSomethingGiven } from '../../core/params/input.decorator.js';
import { NO_PRECONDITIONS, type Preconditions } from '../../core/preconditions.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import {
  SILENCE_ATTRIBUTES,
  type CreateSilenceDto,
  type MatcherDto,
  type UpdateSilenceDto,
} from './alert-silence.dto.js';
import {
  AlertSilence,
  AlertSilencesRepository,
  type Matcher,
} from './alert-silences.repository.js';

/** Silences of a project that are active or pending. */
const MAX_SILENCES = 100;
const LONGEST_MS = 366 * 86_400_000;

/** A silence of a project, with the preconditions of the request. */
interface ChosenSilence {
  projectId: number;
  id: number;
  preconditions?: Preconditions;
}

type Values = Pick<AlertSilence, 'matchers' | 'startsAt' | 'endsAt' | 'comment'>;

/** Creates, changes and ends silences of alerts; the caller checks permissions. */
@Injectable()
export class AlertSilences {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectsRepository,
    private readonly silences: AlertSilencesRepository,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Returns the ID of the new silence. A start in the past is now. Throws 400 for an end that is
   * not in the future or more than a year after the start, or for too many silences; 403 for an
   * archived project, 404 for one being deleted.
   */
  async create(projectId: number, dto: CreateSilenceDto, auth: AuthContext): Promise<number> {
    const matchers = matchersOf(dto.matchers);
    return this.dataSource.transaction(async (tx) => {
      await this.projects.lockForChange(tx, projectId);
      const now = await this.silences.now(tx);
      const values = {
        matchers,
        startsAt: laterOf(dto.starts_at, now),
        endsAt: dto.ends_at,
        comment: dto.comment.trim(),
      };
      assertValid(values, now);
      const open = await tx.countBy(AlertSilence, { projectId, endsAt: MoreThan(now) });
      if (open >= MAX_SILENCES) {
        throw new ValidationFailedError({ base: [`maximum of ${MAX_SILENCES} silences reached`] });
      }
      const row = { ...values, projectId, authorId: auth.viewer?.id ?? null };
      const inserted = await tx.insert(AlertSilence, row);
      const { id } = inserted.identifiers[0] as { id: number };
      await this.record(tx, auth, { id, projectId }, { action: 'created', details: values });
      return id;
    });
  }

  /**
   * Changes what is given. Throws 400 when nothing is given and as `create`, 409 for an expired
   * silence and for another start of an active one, 404 and 412.
   */
  async update(chosen: ChosenSilence, dto: UpdateSilenceDto, auth: AuthContext): Promise<void> {
    assertSomethingGiven(dto, SILENCE_ATTRIBUTES);
    await this.change(chosen, async (tx, silence, now) => {
      const startsAt = startOf(dto, silence);
      if (startsAt !== null && silence.startsAt <= now) {
        throw new ConflictError('The start of an active silence cannot be changed');
      }
      const given: Partial<Values> = {
        ...(dto.matchers && { matchers: matchersOf(dto.matchers) }),
        ...(startsAt && { startsAt: laterOf(startsAt, now) }),
        ...(dto.ends_at && { endsAt: dto.ends_at }),
        ...(dto.comment && { comment: dto.comment.trim() }),
      };
      assertValid({ ...silence, ...given }, now);
      const details = changesBetween<Values>(silence, given);
      if (Object.keys(details).length === 0) return;
      await tx.update(AlertSilence, silence.id, { ...given, updatedAt: () => 'now()' });
      await this.record(tx, auth, silence, { action: 'updated', details });
    });
  }

  /** Ends a silence now. Throws 409 for an expired one, 404 and 412. */
  async expire(chosen: ChosenSilence, auth: AuthContext): Promise<void> {
    await this.change(chosen, async (tx, silence, now) => {
      const startsAt = silence.startsAt < now ? silence.startsAt : now;
      const end = { startsAt, endsAt: now, updatedAt: () => 'now()' };
      await tx.update(AlertSilence, silence.id, end);
      await this.record(tx, auth, silence, { action: 'expired' });
    });
  }

  private async change(
    { projectId, id, preconditions = NO_PRECONDITIONS }: ChosenSilence,
    work: (tx: EntityManager, silence: AlertSilence, now: Date) => Promise<void>,
  ): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await this.projects.lockForChange(tx, projectId);
      const silence = await this.silences.lock(tx, projectId, id);
      preconditions.check(silence.updatedAt);
      const now = await this.silences.now(tx);
      if (silence.endsAt <= now) throw new ConflictError('The silence has expired');
      await work(tx, silence, now);
    });
  }

  private record(
    tx: EntityManager,
    auth: AuthContext,
    { id, projectId }: Pick<AlertSilence, 'id' | 'projectId'>,
    { action, details = {} }: { action: string; details?: Record<string, unknown> },
  ): Promise<void> {
    return this.audit.record(tx, auth, {
      action: `alert_silence_${action}`,
      targetType: 'AlertSilence',
      targetId: id,
      targetName: `Silence ${id}`,
      entity: { type: 'Project', id: projectId },
      details,
    });
  }
}

/** Members are in the order in which jsonb returns them, so that equal matchers are no change. */
function matchersOf(dtos: readonly MatcherDto[]): Matcher[] {
  if (dtos.length === 0) throw new ValidationFailedError({ matchers: ["can't be blank"] });
  return dtos.map(({ name, value, is_equal: isEqual }) => ({
    name,
    value,
    isEqual: isEqual ?? true,
    pattern: patternOf(value),
  }));
}

/** Returns the start that is given, unless the silence has it already. */
function startOf({ starts_at: given }: UpdateSilenceDto, { startsAt }: AlertSilence): Date | null {
  return given && given.getTime() !== startsAt.getTime() ? given : null;
}

/** A backslash makes the next `*` or backslash literal; elsewhere it stands for itself. */
function patternOf(value: string): string {
  return value.replace(/\\([\\*])|[\\%_*]/g, (found: string, literal: string | undefined) => {
    if (found === '*') return '%';
    if (literal === '*') return '*';
    return found.startsWith('\\') ? '\\\\' : `\\${found}`;
  });
}

function laterOf(time: Date | null | undefined, now: Date): Date {
  return time && time > now ? time : now;
}

function assertValid({ startsAt, endsAt }: Values, now: Date): void {
  if (endsAt <= now) throw new ValidationFailedError({ ends_at: ['must be in the future'] });
  if (endsAt <= startsAt) throw new ValidationFailedError({ ends_at: ['must be after starts_at'] });
  if (endsAt.getTime() - startsAt.getTime() > LONGEST_MS) {
    throw new ValidationFailedError({ ends_at: ['must be at most a year after starts_at'] });
  }
}
