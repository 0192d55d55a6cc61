import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { ConflictError, NotFoundError, ValidationFailedError } from '../../core/errors.js';
import { assertSomethingGiven } from '../../core/params/input.decorator.js';
import { isBusy } from '../../core/sql/lock-retry.js';
import { parseColor } from './label-colors.js';
import { UPDATABLE_ATTRIBUTES, type CreateLabelDto, type UpdateLabelDto } from './label.dto.js';
import { Label } from './label.entity.js';
import { LabelsRepository, type LabelOwner, type LabelRow } from './labels.repository.js';

const MAX_NAME_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 512;
const MAX_ATTEMPTS = 3;
const MAX_PRIORITY = 2_147_483_647;

type Attributes = Partial<Pick<Label, 'name' | 'color' | 'description' | 'priority'>>;

/** Creates, changes, promotes and deletes labels; the caller checks the actor's ability. */
@Injectable()
export class LabelsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly labels: LabelsRepository,
  ) {}

  /**
   * Returns the ID. Throws 400 for invalid attributes, 409 for a name that can be used already, 404
   * without the project or group.
   */
  create(owner: LabelOwner, dto: CreateLabelDto): Promise<number> {
    const { name, color, description, priority } = dto;
    const attributes = validAttributes({ name, color, description: description || null, priority });
    return this.transaction(async (tx) => {
      const wanted = { name: attributes.name ?? name, exceptId: null };
      if (await this.labels.isTaken(tx, owner, wanted)) throw alreadyExists();
      const inserted = await tx.insert(Label, { ...attributes, ...owner });
      return (inserted.identifiers[0] as { id: number }).id;
    });
  }

  /** Changes a label, and its name on issues and merge requests; throws 400 for a taken name. */
  async update(label: LabelRow, dto: UpdateLabelDto): Promise<void> {
    assertSomethingGiven(dto, UPDATABLE_ATTRIBUTES);
    const { new_name: name, color, description, priority } = dto;
    const changed = validAttributes({
      ...(name != null && { name }),
      ...(color != null && { color }),
      ...(description !== undefined && { description: description || null }),
      ...(priority !== undefined && { priority }),
    });
    await this.transaction(async (tx) => {
      const before = await lock(tx, label.id);
      const newName = changed.name === before.name ? undefined : changed.name;
      if (newName !== undefined) {
        const wanted = { name: newName, exceptId: label.id };
        if (await this.labels.isTaken(tx, ownerOf(label), wanted)) {
          throw new ValidationFailedError({ title: ['has already been taken'] });
        }
        await this.labels.lockBearers(tx, before);
      }
      await tx.update(Label, { id: label.id }, { ...changed, updatedAt: () => 'now()' });
      // After the label itself: a trigger creates labels that are used and do not exist.
      if (newName !== undefined) await this.labels.rename(tx, before, newName);
    });
  }

  /** Deletes a label, and takes it from issues and merge requests. */
  async delete({ id }: LabelRow): Promise<void> {
    await this.transaction(async (tx) => {
      const label = await lock(tx, id);
      await this.labels.lockBearers(tx, label);
      await this.labels.rename(tx, label, null);
      await tx.delete(Label, { id });
    });
  }

  /** Makes a project's label one of the group, in place of labels of that name below; returns its ID. */
  promote({ id }: LabelRow, groupId: number): Promise<number> {
    return this.transaction(async (tx) => {
      await lock(tx, id);
      return this.labels.promote(tx, id, groupId);
    });
  }

  /** Runs the work again after a deadlock with other changes of issues and merge requests. */
  private async transaction<T>(
    work: (tx: EntityManager) => Promise<T>,
    attempts = MAX_ATTEMPTS,
  ): Promise<T> {
    try {
      return await this.dataSource.transaction(work);
    } catch (error) {
      if (!(error instanceof QueryFailedError)) throw error;
      if (attempts > 1 && isBusy(error.driverError)) return this.transaction(work, attempts - 1);
      const { constraint = '' } = error.driverError as { constraint?: string };
      if (constraint.startsWith('uq_labels')) throw alreadyExists();
      if (constraint.startsWith('fk_labels')) throw new NotFoundError();
      throw error;
    }
  }
}

/** The project or group whose label it is. */
export function ownerOf({ projectId, groupId }: LabelRow): LabelOwner {
  return projectId === null ? { groupId: groupId ?? 0 } : { projectId };
}

/** Renames and deletions follow one another. */
async function lock(tx: EntityManager, id: number): Promise<Label> {
  const label = await tx.findOne(Label, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (label === null) throw new NotFoundError('Label');
  return label;
}

function alreadyExists(): ConflictError {
  return new ConflictError('Label already exists');
}

/** Throws ValidationFailedError with messages per attribute (API doc, Errors 2). */
function validAttributes<T extends Attributes>(given: T): T {
  const name = given.name?.trim();
  const color = given.color === undefined ? undefined : parseColor(given.color);
  const messages = {
    ...problem('title', nameProblem(name)),
    ...problem('priority', (given.priority ?? 0) > MAX_PRIORITY ? 'is too large' : null),
    ...problem('color', color === null ? 'must be a valid color code' : null),
    ...problem(
      'description',
      (given.description?.length ?? 0) > MAX_DESCRIPTION_LENGTH
        ? tooLong(MAX_DESCRIPTION_LENGTH)
        : null,
    ),
  };
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
  return { ...given, ...(name !== undefined && { name }), ...(color && { color }) };
}

/** Filters and forms separate names with commas. */
function nameProblem(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (name === '') return "can't be blank";
  if (name.length > MAX_NAME_LENGTH) return tooLong(MAX_NAME_LENGTH);
  return /,/.test(name) ? 'is invalid' : null;
}

function problem(attribute: string, text: string | null): Record<string, string[]> {
  return text === null ? {} : { [attribute]: [text] };
}

function tooLong(maximum: number): string {
  return `is too long (maximum is ${maximum} characters)`;
}
