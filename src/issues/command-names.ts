import type { EntityManager } from 'typeorm';
import type { Viewer } from '../core/access/viewer.js';
import { nameOf, namesIn, type QuickAction, type QuickActionName } from '../notes/quick-actions.js';
import type { CommandNames, NamedUser } from './command-plan.js';

const PEOPLE_SQL = `SELECT id, username FROM users WHERE lower(username) = ANY($1::text[])`;

const MILESTONES_SQL = `
  SELECT id, title FROM milestones WHERE project_id = $1 AND title = ANY($2::text[])`;

/** Where the commands of a comment look for what they name. */
interface Place {
  projectId: number;
  author: Viewer;
  /** Those of the users who can read what the commands are about. */
  readers(userIds: readonly number[]): Promise<NamedUser[]>;
}

/** Looks up all people and milestones that the commands name, each kind at once. */
export async function namesOfCommands(
  tx: EntityManager,
  actions: readonly QuickAction[],
  place: Place,
): Promise<CommandNames> {
  const people = await peopleOf(tx, argumentsOf(actions, ['assign', 'unassign']), place);
  const titles = argumentsOf(actions, ['milestone']).map((argument) => nameOf(argument, '%'));
  const milestones =
    titles.length === 0
      ? []
      : await tx.query<{ id: number; title: string }[]>(MILESTONES_SQL, [place.projectId, titles]);
  return { people, milestones: new Map(milestones.map(({ id, title }) => [title, id])) };
}

function argumentsOf(actions: readonly QuickAction[], names: QuickActionName[]): string[] {
  const meant = actions.filter(({ name }) => names.includes(name));
  return meant.map(({ argument }) => argument);
}

async function peopleOf(
  tx: EntityManager,
  written: readonly string[],
  { author, readers }: Place,
): Promise<Map<string, NamedUser>> {
  const given = written.flatMap((argument) => namesIn(argument, '@') ?? []);
  if (given.length === 0) return new Map();
  const me = author.username.toLowerCase();
  const names = new Set(given.map((name) => name.toLowerCase()));
  if (names.has('me')) names.add(me);
  const users = await tx.query<NamedUser[]>(PEOPLE_SQL, [[...names]]);
  const able = await readers(users.map(({ id }) => id));
  const people = new Map(able.map((user) => [user.username.toLowerCase(), user]));
  const self = people.get(me);
  return self === undefined ? people : people.set('me', self);
}
