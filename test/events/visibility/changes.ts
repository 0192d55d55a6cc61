import type { DataSource } from 'typeorm';
import { IssueAssignee } from '../../../src/workspace/issues/issue.entity.js';
import { Issue } from '../../../src/workspace/issues/issue.entity.js';
import { Member } from '../../../src/identity/members/member.entity.js';
import { MergeRequest } from '../../../src/code/merge-requests/merge-request.entity.js';
import { Milestone } from '../../../src/workspace/milestones/milestone.entity.js';
import { Note } from '../../../src/workspace/notes/note.entity.js';
import { Project } from '../../../src/workspace/projects/project.entity.js';
import { Snippet } from '../../../src/workspace/snippets/snippet.entity.js';
import { User } from '../../../src/identity/users/user.entity.js';
import type { Dice } from './dice.js';
import { memberRow, projectRow } from './people-maker.js';
import type { World } from './world.js';

/** Changes a little of everything, in the database and in the plain world alike. */
export async function changeWorld(dataSource: DataSource, dice: Dice, world: World): Promise<void> {
  await changeProjects(dataSource, dice, world);
  await changeMemberships(dataSource, dice, world);
  await changeThings(dataSource, dice, world);
  await deleteThings(dataSource, dice, world);
  await deletePerson(dataSource, dice, world);
}

async function changeProjects({ manager }: DataSource, dice: Dice, world: World): Promise<void> {
  for (const project of dice.some(world.projects, 0.4)) {
    project.visibility = dice.pick([0, 10, 20]);
    const feature = dice.pick([
      'issues',
      'mergeRequests',
      'wiki',
      'snippets',
      'repository',
    ] as const);
    project.features[feature] = !project.features[feature];
    if (dice.chance(0.2)) project.spaceId = dice.pick(world.spaces.slice(-6)).id;
    if (dice.chance(0.05)) project.isBeingDeleted = true;
    await manager.update(Project, { id: project.id }, projectRow(project));
  }
}

async function changeMemberships({ manager }: DataSource, dice: Dice, world: World): Promise<void> {
  for (const membership of dice.some(world.memberships, 0.3)) {
    if (dice.chance(0.3)) {
      await manager.delete(Member, { id: membership.id });
      world.memberships = world.memberships.filter((one) => one !== membership);
      continue;
    }
    membership.level = dice.pick([5, 10, 15, 20, 30, 50]);
    membership.isOver = dice.chance(0.3);
    await manager.update(Member, { id: membership.id }, memberRow(membership, dice));
  }
}

async function changeThings({ manager }: DataSource, dice: Dice, world: World): Promise<void> {
  for (const issue of dice.some(world.issues, 0.3)) {
    const { id } = issue;
    issue.isConfidential = !issue.isConfidential;
    issue.assigneeIds = dice.some(world.people, 0.15).map((person) => person.id);
    await manager.update(Issue, { id }, { confidential: issue.isConfidential });
    await manager.delete(IssueAssignee, { issueId: id });
    const rows = issue.assigneeIds.map((userId) => ({ issueId: id, userId }));
    if (rows.length > 0) await manager.insert(IssueAssignee, rows);
  }
  for (const snippet of dice.some(world.snippets, 0.3)) {
    snippet.visibility = dice.pick([0, 10, 20]);
    await manager.update(Snippet, { id: snippet.id }, { visibility: snippet.visibility });
  }
  for (const note of dice.some(world.notes, 0.2)) {
    note.isInternal = !note.isInternal;
    await manager.update(Note, { id: note.id }, { internal: note.isInternal });
  }
  for (const person of dice.some(
    world.people.filter(({ token }) => token === null),
    0.3,
  )) {
    person.hasPrivateProfile = !person.hasPrivateProfile;
    await manager.update(User, { id: person.id }, { privateProfile: person.hasPrivateProfile });
  }
}

/** Deletes things with their events; those of milestones stay and lose their target. */
async function deleteThings({ manager }: DataSource, dice: Dice, world: World): Promise<void> {
  for (const { id } of dice.some(world.issues, 0.1)) {
    await manager.delete(Issue, { id });
    world.issues = world.issues.filter((one) => one.id !== id);
    forgetNotes(world, 'issue', id);
    forgetEvents(world, 'issue', id);
  }
  for (const { id } of dice.some(world.mergeRequests, 0.1)) {
    await manager.delete(MergeRequest, { id });
    world.mergeRequests = world.mergeRequests.filter((one) => one.id !== id);
    forgetNotes(world, 'merge_request', id);
    forgetEvents(world, 'merge_request', id);
  }
  for (const { id } of dice.some(world.snippets, 0.1)) {
    await manager.delete(Snippet, { id });
    world.snippets = world.snippets.filter((one) => one.id !== id);
    forgetNotes(world, 'snippet', id);
  }
  for (const { id } of dice.some(world.notes, 0.05)) {
    await manager.delete(Note, { id });
    world.notes = world.notes.filter((one) => one.id !== id);
    forgetEvents(world, 'note', id);
  }
  for (const { id } of dice.some(world.milestones, 0.2)) {
    await manager.delete(Milestone, { id });
    world.milestones = world.milestones.filter((one) => one.id !== id);
    for (const { target } of world.events) {
      if (target?.type === 'milestone' && target.id === id) target.id = null;
    }
  }
}

function forgetNotes(world: World, on: string, noteableId: number): void {
  const gone = world.notes.filter((note) => note.on === on && note.noteableId === noteableId);
  world.notes = world.notes.filter((note) => !gone.includes(note));
  for (const { id } of gone) forgetEvents(world, 'note', id);
}

function forgetEvents(world: World, type: string, id: number): void {
  world.events = world.events.filter(
    ({ target }) => target === null || target.type !== type || target.id !== id,
  );
}

/** Someone who only acted: what they did stays in the lists of projects until it is erased. */
async function deletePerson({ manager }: DataSource, dice: Dice, world: World): Promise<void> {
  const wrote = new Set([...world.issues, ...world.snippets].map(({ authorId }) => authorId));
  const gone = dice.some(
    world.people.filter(({ id, token }) => token === null && !wrote.has(id)),
    0.2,
  );
  for (const { id } of gone) {
    const rows = await manager.query<unknown[]>(
      `SELECT 1 FROM merge_requests WHERE author_id = $1 UNION ALL
       SELECT 1 FROM notes WHERE author_id = $1 UNION ALL
       SELECT 1 FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE n.owner_id = $1`,
      [id],
    );
    if (rows.length > 0) continue;
    await manager.delete(User, { id });
    world.people = world.people.filter((one) => one.id !== id);
    world.memberships = world.memberships.filter(({ userId }) => userId !== id);
  }
}
