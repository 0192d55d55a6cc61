import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/viewer.js';
import { nameOf, namesIn, type QuickAction, type QuickActionName } from '../notes/quick-actions.js';
import { Milestone } from '../milestones/milestone.entity.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import type { CommandNames, NamedUser } from './command-plan.js';

/** The project, author and readers of the commands of a comment. */
interface Place {
  projectId: number;
  author: Viewer;
  /** Returns those of the users who can read the commented work. */
  readers(userIds: readonly number[]): Promise<NamedUser[]>;
}

/** Looks up the users and milestones that commands name. */
@Injectable()
export class CommandNamesService {
  constructor(private readonly users: UsersRepository) {}

  /** Looks up all names of the commands, each kind by one statement. */
  async find(
    tx: EntityManager,
    actions: readonly QuickAction[],
    place: Place,
  ): Promise<CommandNames> {
    const people = await this.people(tx, argumentsOf(actions, ['assign', 'unassign']), place);
    const titles = argumentsOf(actions, ['milestone']).map((argument) => nameOf(argument, '%'));
    const wanted = { projectId: place.projectId, title: In(titles) };
    const milestones = titles.length === 0 ? [] : await tx.findBy(Milestone, wanted);
    return { people, milestones: new Map(milestones.map(({ id, title }) => [title, id])) };
  }

  private async people(
    tx: EntityManager,
    written: readonly string[],
    { author, readers }: Place,
  ): Promise<Map<string, NamedUser>> {
    const given = written.flatMap((argument) => namesIn(argument, '@') ?? []);
    if (given.length === 0) return new Map();
    const me = author.username.toLowerCase();
    const names = new Set(given.map((name) => name.toLowerCase()));
    if (names.has('me')) names.add(me);
    const users = await this.users.findByUsernames([...names], tx);
    const able = await readers(users.map(({ id }) => id));
    const people = new Map(able.map((user) => [user.username.toLowerCase(), user]));
    const self = people.get(me);
    return self === undefined ? people : people.set('me', self);
  }
}

function argumentsOf(actions: readonly QuickAction[], names: QuickActionName[]): string[] {
  const meant = actions.filter(({ name }) => names.includes(name));
  return meant.map(({ argument }) => argument);
}
