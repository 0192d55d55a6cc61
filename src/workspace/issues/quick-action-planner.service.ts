import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { UsersRepository, type NamedUser } from '../../identity/users/users.repository.js';
import { Milestone } from '../milestones/milestone.entity.js';
import {
  nameOf,
  namesIn,
  type CommandChanges,
  type CommandOutcome,
  type QuickAction,
  type QuickActionName,
} from '../notes/quick-actions.js';
import { isTitle } from './issuable-attributes.js';

/** Noteable of the quick actions before their execution, and the permissions of their author. */
interface QuickActionSubject {
  noun: 'issue' | 'merge request';
  projectId: number;
  state: 'opened' | 'closed' | 'merged';
  title: string;
  labels: readonly string[];
  assignees: readonly NamedUser[];
  milestoneId: number | null;
  dueDate: string | null;
  confidential: boolean;
  discussionLocked: boolean;
  /** True if the author can change texts and state. */
  mayChange: boolean;
  /** True if the author can change everything else. */
  mayAdminister: boolean;
  /** True if it can be reopened after it was closed. */
  isReopenable: boolean;
}

/** Objects by the names that quick actions can use. */
interface NamedObjects {
  /** Users who can read the noteable, by lower-case username and by `me`. */
  people: ReadonlyMap<string, NamedUser>;
  /** IDs of milestones by title. */
  milestones: ReadonlyMap<string, number>;
}

/** The subject as the commands so far leave it. */
export interface QuickActionDraft {
  now: QuickActionSubject;
  names: NamedObjects;
  changes: CommandChanges;
}

/** Applies a quick action to the draft and returns a sentence about it; null without an effect. */
type QuickActionEffect = (draft: QuickActionDraft, argument: string) => string | null;
export type QuickActionEffects = Partial<Record<QuickActionName, QuickActionEffect>>;

/** The noteable of quick actions, what they do to it, and their author. */
interface QuickActionContext {
  subject: QuickActionSubject;
  effects: QuickActionEffects;
  author: Viewer;
  /** Returns those of the users who can read the noteable. */
  findReaders(userIds: readonly number[]): Promise<NamedUser[]>;
}

/** Commands of the author; the others require planning permission. */
const OF_AUTHORS: ReadonlySet<QuickActionName> = new Set([
  'close',
  'reopen',
  'title',
  'draft',
  'ready',
]);

/** Commands of everyone who can comment. */
const OF_EVERYONE: ReadonlySet<QuickActionName> = new Set(['subscribe', 'unsubscribe']);

/** Plans the quick actions of comments on issues and merge requests. */
@Injectable()
export class QuickActionPlanner {
  constructor(private readonly users: UsersRepository) {}

  /**
   * Returns the changes of the commands, in their order, with a sentence about each; saves nothing.
   */
  async plan(
    tx: EntityManager,
    actions: readonly QuickAction[],
    context: QuickActionContext,
  ): Promise<CommandOutcome> {
    const { subject, effects } = context;
    const names = {
      people: await this.findPeople(argumentsOf(actions, ['assign', 'unassign']), tx, context),
      milestones: await findMilestones(tx, actions, subject.projectId),
    };
    const draft: QuickActionDraft = { now: { ...subject }, names, changes: {} };
    const summary = actions.map(({ name, argument }) => {
      const sentence = isAllowed(name, subject) ? effects[name]?.(draft, argument) : null;
      return sentence ?? `Could not apply ${name} command.`;
    });
    return { changes: draft.changes, summary };
  }

  private async findPeople(
    written: readonly string[],
    tx: EntityManager,
    { author, findReaders }: QuickActionContext,
  ): Promise<Map<string, NamedUser>> {
    const given = written.flatMap((argument) => namesIn(argument, '@') ?? []);
    if (given.length === 0) return new Map();
    const me = author.username.toLowerCase();
    const names = new Set(given.map((name) => name.toLowerCase()));
    if (names.has('me')) names.add(me);
    const users = await this.users.findByUsernames([...names], tx);
    const readers = await findReaders(users.map(({ id }) => id));
    const people = new Map(readers.map((user) => [user.username.toLowerCase(), user]));
    const self = people.get(me);
    return self === undefined ? people : people.set('me', self);
  }
}

async function findMilestones(
  tx: EntityManager,
  actions: readonly QuickAction[],
  projectId: number,
): Promise<Map<string, number>> {
  const titles = argumentsOf(actions, ['milestone']).map((argument) => nameOf(argument, '%'));
  const found =
    titles.length === 0 ? [] : await tx.findBy(Milestone, { projectId, title: In(titles) });
  return new Map(found.map(({ id, title }) => [title, id]));
}

function argumentsOf(actions: readonly QuickAction[], names: QuickActionName[]): string[] {
  const meant = actions.filter(({ name }) => names.includes(name));
  return meant.map(({ argument }) => argument);
}

function isAllowed(
  name: QuickActionName,
  { mayChange, mayAdminister }: QuickActionSubject,
): boolean {
  if (OF_EVERYONE.has(name)) return true;
  return OF_AUTHORS.has(name) ? mayChange : mayAdminister;
}

/** Returns the title that the commands give an issue or merge request; undefined if it stays. */
export function givenTitle(
  { title: before }: { title: string },
  actions: readonly QuickAction[],
): string | undefined {
  const titles = actions.filter(({ name, argument }) => name === 'title' && isTitle(argument));
  const title = titles.at(-1)?.argument;
  return title === before ? undefined : title;
}
