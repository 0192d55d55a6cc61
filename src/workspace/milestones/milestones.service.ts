import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import type { EventAction } from '../../core/activity/event.entity.js';
import { ForbiddenError, ValidationFailedError } from '../../core/errors.js';
import { assertSomethingGiven } from '../../core/params/input.decorator.js';
import {
  UPDATABLE_ATTRIBUTES,
  type CreateMilestoneDto,
  type UpdateMilestoneDto,
} from './milestone.dto.js';
import { Milestone, type MilestoneState } from './milestone.entity.js';
import { MilestonesRepository, type MilestoneAssignment } from './milestones.repository.js';
import type { ProjectRow } from '../projects/projects.repository.js';

const MAX_TITLE_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 1_048_576;

const STATES = { close: 'closed', activate: 'active' } as const;
const STATE_ACTIONS = { closed: 'closed', active: 'reopened' } as const;

/** Creates, changes and deletes milestones, and records each change as an event. */
@Injectable()
export class MilestonesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly milestones: MilestonesRepository,
    private readonly activity: Activity,
  ) {}

  /** Returns the id; throws ValidationFailedError, or NotFoundError without the project. */
  create(projectId: number, dto: CreateMilestoneDto, authorId: number): Promise<number> {
    const attributes = {
      title: dto.title.trim(),
      description: dto.description || null,
      startDate: dto.start_date ?? null,
      dueDate: dto.due_date ?? null,
    };
    assertValid(attributes);
    return this.transaction(async (manager) => {
      const iid = await this.milestones.nextIid(manager, projectId);
      const inserted = await manager.insert(Milestone, { ...attributes, projectId, iid });
      const { id } = inserted.identifiers[0] as { id: number };
      await this.record(manager, { id, projectId }, { authorId, action: 'created' });
      return id;
    });
  }

  /** Throws ValidationFailedError, or NotFoundError when the milestone is gone. */
  async update(id: number, dto: UpdateMilestoneDto, authorId: number): Promise<void> {
    assertSomethingGiven(dto, UPDATABLE_ATTRIBUTES);
    await this.transaction(async (manager) => {
      const before = await this.milestones.lock(manager, id);
      const changed = changedAttributes(before, dto);
      if (Object.keys(changed).length === 0) return;
      assertValid({ ...before, ...changed });
      await manager.update(Milestone, { id }, { ...changed, updatedAt: () => 'now()' });
      const { state } = changed;
      if (state) await this.record(manager, before, { authorId, action: STATE_ACTIONS[state] });
    });
  }

  /**
   * Issues and merge requests stay, without a milestone; a trigger removes it from its events.
   * Throws NotFoundError when it is gone.
   */
  async delete({ id, projectId }: Milestone, authorId: number): Promise<void> {
    await this.transaction(async (manager) => {
      await this.milestones.lockForDeletion(manager, id);
      await this.record(manager, { id, projectId }, { authorId, action: 'destroyed' });
      await manager.delete(Milestone, { id });
    });
  }

  /**
   * Returns the milestone that an issue or merge request is assigned to from now on, null when
   * nothing changes. The caller holds its row, if it has one already. A milestone that the project
   * does not have is ignored, as v4 does; v4 clients write 0 for none.
   */
  async changedAssignment(
    manager: EntityManager,
    { projectId, milestoneId }: { projectId: number; milestoneId: number | null },
    wanted: number | null | undefined,
  ): Promise<MilestoneAssignment | null> {
    if (wanted === undefined || wanted === milestoneId) return null;
    if (!wanted) return milestoneId === null ? null : { milestoneId: null, title: null };
    return this.milestones.findAssignable(manager, projectId, wanted);
  }

  private record(
    manager: EntityManager,
    { id, projectId }: Pick<Milestone, 'id' | 'projectId'>,
    event: { authorId: number; action: EventAction },
  ): Promise<void> {
    const target = { type: 'milestone' as const, id };
    return this.activity.record(manager, [{ ...event, projectId, target }]);
  }

  private async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.dataSource.transaction(work);
    } catch (error) {
      if (!isTitleTaken(error)) throw error;
      throw new ValidationFailedError({ title: ['has already been taken'] });
    }
  }
}

/** Throws ValidationFailedError with messages per attribute (API doc, Errors 2). */
function assertValid(
  milestone: Pick<Milestone, 'title' | 'description' | 'startDate' | 'dueDate'>,
): void {
  const { title, description, startDate, dueDate } = milestone;
  const messages = {
    ...(title === '' && { title: ["can't be blank"] }),
    ...(title.length > MAX_TITLE_LENGTH && { title: [tooLong(MAX_TITLE_LENGTH)] }),
    ...((description?.length ?? 0) > MAX_DESCRIPTION_LENGTH && {
      description: [tooLong(MAX_DESCRIPTION_LENGTH)],
    }),
    ...(startDate !== null &&
      dueDate !== null &&
      startDate > dueDate && { due_date: ['must not be before the start date'] }),
  };
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
}

function tooLong(maximum: number): string {
  return `is too long (maximum is ${maximum} characters)`;
}

/** Returns the attributes that differ after the request; null clears all but the title. */
function changedAttributes(before: Milestone, dto: UpdateMilestoneDto): Partial<Milestone> {
  const state: MilestoneState | null = dto.state_event ? STATES[dto.state_event] : null;
  const wanted: Partial<Milestone> = {
    ...(dto.title != null && { title: dto.title.trim() }),
    ...(dto.description !== undefined && { description: dto.description || null }),
    ...(dto.start_date !== undefined && { startDate: dto.start_date }),
    ...(dto.due_date !== undefined && { dueDate: dto.due_date }),
    ...(state !== null && { state }),
  };
  const names = Object.keys(wanted) as (keyof Milestone)[];
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== before[name]).map((name) => [name, wanted[name]]),
  );
}

function isTitleTaken(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { constraint } = error.driverError as { constraint?: string };
  return constraint === 'uq_milestones_project_title';
}

/** A project without issues and merge requests has no milestones. */
export function hasMilestones(project: ProjectRow): boolean {
  return project.issuesEnabled || project.mergeRequestsEnabled;
}

/** Throws ForbiddenError in a project that has both issues and merge requests turned off. */
export function assertMilestonesEnabled(project: ProjectRow): void {
  if (!hasMilestones(project)) throw new ForbiddenError();
}

/** Throws ForbiddenError also in an archived project, which is read-only for everyone. */
export function assertMilestonesWritable(project: ProjectRow): void {
  assertMilestonesEnabled(project);
  if (project.archived) throw new ForbiddenError();
}
