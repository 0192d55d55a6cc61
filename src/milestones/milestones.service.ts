import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { Activity } from '../activity/activity.service.js';
import type { EventAction } from '../activity/event-kinds.js';
import { NotFoundError, ValidationFailedError } from '../core/errors.js';
import { assertSomethingGiven } from '../core/params/something-given.js';
import type { CreateMilestoneDto } from './dto/create-milestone.dto.js';
import { UPDATABLE_ATTRIBUTES, type UpdateMilestoneDto } from './dto/update-milestone.dto.js';
import { assertMilestone } from './milestone-rules.js';
import { Milestone, type MilestoneState } from './milestone.entity.js';

/** The row of the counter is held until the commit, so numbers are given in order of commits. */
const NEXT_IID_SQL = `
  INSERT INTO milestone_counters AS c (project_id, last_iid)
    SELECT id, 1 FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = c.last_iid + 1
  RETURNING last_iid AS iid`;

/**
 * Held before the milestone, in the order of ids: who changes one of these holds it first and then
 * the milestone that it is to work towards.
 */
const LOCK_WORK_SQLS = ['issues', 'merge_requests'].map(
  (table) => `SELECT id FROM ${table} WHERE milestone_id = $1 ORDER BY id FOR UPDATE`,
);

const STATES = { close: 'closed', activate: 'active' } as const;
const STATE_ACTIONS = { closed: 'closed', active: 'reopened' } as const;

/** Makes, changes and deletes milestones of a project whose asker may do that; each is an event. */
@Injectable()
export class MilestonesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly activity: Activity,
  ) {}

  /** Answers the new milestone's id; throws 400 for what it cannot have, 404 without its project. */
  create(projectId: number, dto: CreateMilestoneDto, authorId: number): Promise<number> {
    const attributes = {
      title: dto.title.trim(),
      description: dto.description || null,
      startDate: dto.start_date ?? null,
      dueDate: dto.due_date ?? null,
    };
    assertMilestone(attributes);
    return this.transaction(async (tx) => {
      const [counter] = await tx.query<{ iid: number }[]>(NEXT_IID_SQL, [projectId]);
      if (counter === undefined) throw new NotFoundError('Project');
      const row = { ...attributes, projectId, iid: counter.iid };
      const inserted = await tx.insert(Milestone, row);
      const { id } = inserted.identifiers[0] as { id: number };
      await this.record(tx, { id, projectId }, { authorId, action: 'created' });
      return id;
    });
  }

  /** Throws 400 as for a new one, 404 when it is gone. */
  async update(id: number, dto: UpdateMilestoneDto, authorId: number): Promise<void> {
    assertSomethingGiven(dto, UPDATABLE_ATTRIBUTES);
    await this.transaction(async (tx) => {
      const before = await lock(tx, id);
      const changed = changedAttributes(before, dto);
      if (Object.keys(changed).length === 0) return;
      assertMilestone({ ...before, ...changed });
      await tx.update(Milestone, { id }, { ...changed, updatedAt: () => 'now()' });
      const { state } = changed;
      if (state) await this.record(tx, before, { authorId, action: STATE_ACTIONS[state] });
    });
  }

  /**
   * What worked towards it works towards none; its events stay without naming it, by a trigger.
   * Throws 404 when it is gone.
   */
  async delete({ id, projectId }: Milestone, authorId: number): Promise<void> {
    await this.transaction(async (tx) => {
      for (const text of LOCK_WORK_SQLS) await tx.query(text, [id]);
      await lock(tx, id);
      await this.record(tx, { id, projectId }, { authorId, action: 'destroyed' });
      await tx.delete(Milestone, { id });
    });
  }

  private record(
    tx: EntityManager,
    { id, projectId }: Pick<Milestone, 'id' | 'projectId'>,
    event: { authorId: number; action: EventAction },
  ): Promise<void> {
    return this.activity.record(tx, [{ ...event, projectId, target: { type: 'milestone', id } }]);
  }

  private async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.dataSource.transaction(work);
    } catch (error) {
      throw translated(error);
    }
  }
}

async function lock(tx: EntityManager, id: number): Promise<Milestone> {
  const row = await tx.findOne(Milestone, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (row === null) throw new NotFoundError('Milestone');
  return row;
}

/** What differs after the request; null clears everything but the title. */
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

function translated(error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  const { constraint } = error.driverError as { constraint?: string };
  if (constraint !== 'uq_milestones_project_title') return error;
  return new ValidationFailedError({ title: ['has already been taken'] });
}
