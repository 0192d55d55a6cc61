import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewNotification } from '../../src/core/activity/notifications.repository.js';
import { changeWorld } from '../events/visibility/changes.js';
import { Dice } from '../events/visibility/dice.js';
import { seesEvent } from '../events/visibility/rules.js';
import { byId, type Person, type World, type WorldEvent } from '../events/visibility/world.js';
import { makeWorld } from '../events/visibility/world-maker.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { notify, toldOf } from '../support/recipient-factories.js';
import { cases } from '../support/scale.js';

const WORLDS = cases({ sample: 2, full: 40 });
const TIMEOUT_MS = WORLDS * 60_000;
/** Number of changes to a world. */
const ERAS = 2;

/** `GUILDHALL_SEED` repeats a run. */
const SEED = Number(process.env['GUILDHALL_SEED'] ?? Date.now() % 1_000_000_000);

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Notification, and the event that determines its visibility. */
interface Case {
  notification: NewNotification;
  event: WorldEvent;
}

function event(projectId: number, target: WorldEvent['target']): WorldEvent {
  return { id: 0, createdAt: new Date(), projectId, authorId: 0, action: 'created', target };
}

function casesOf(world: World): Case[] {
  const actorId = null;
  const notes = world.notes.map(({ id, projectId, on: type, noteableId }) => ({
    event: event(projectId, { type: 'note', id }),
    notification: {
      kind: 'new_note',
      projectId,
      actorId,
      target: { type, id: noteableId },
      noteId: id,
    } as const,
  }));
  const issues = world.issues.map(({ id, projectId }) => ({
    event: event(projectId, { type: 'issue', id }),
    notification: { kind: 'new_issue', projectId, actorId, target: { type: 'issue', id } } as const,
  }));
  const mergeRequests = world.mergeRequests.map(({ id, projectId }) => ({
    event: event(projectId, { type: 'merge_request', id }),
    notification: {
      kind: 'close_merge_request',
      projectId,
      actorId,
      target: { type: 'merge_request', id },
    } as const,
  }));
  return [...notes, ...issues, ...mergeRequests];
}

function receivesMails({ state, isBot, isConfirmed }: Person): boolean {
  return state === 'active' && !isBot && isConfirmed;
}

/** Everyone wants to hear of everything, everywhere. */
async function letAllWatch(world: World): Promise<void> {
  await app.dataSource.query(
    `INSERT INTO notification_settings (user_id, project_id, level)
     SELECT u.id, p.id, 2 FROM users u CROSS JOIN projects p
     WHERE u.id = ANY($1::bigint[]) AND p.id = ANY($2::bigint[])
     ON CONFLICT DO NOTHING`,
    [world.people.map(({ id }) => id), world.projects.map(({ id }) => id)],
  );
}

describe('mails about what happens', () => {
  it(
    `are for everyone who can read it, and for no one else (GUILDHALL_SEED=${SEED})`,
    async () => {
      const dice = new Dice(SEED);
      let [told, kept] = [0, 0];
      for (let count = 0; count < WORLDS; count += 1) {
        const world = await makeWorld(app.dataSource, dice);
        for (let era = 0; era < ERAS; era += 1) {
          if (era > 0) await changeWorld(app.dataSource, dice, world);
          await letAllWatch(world);
          for (const one of casesOf(world)) {
            const wanted = world.people
              .filter((person) => receivesMails(person) && seesEvent(world, one.event, person))
              .map(({ id }) => id)
              .toSorted((a, b) => a - b);
            const mails = await toldOf(app, await notify(app, one.notification));
            const project = byId(world.projects, one.notification.projectId);
            const found = { ...one, project, told: mails.map(({ userId }) => userId) };
            expect(found).toEqual({ ...one, project, told: wanted });
            told += wanted.length;
            kept += world.people.length - wanted.length;
          }
        }
      }
      // Otherwise nearly nothing would have been compared.
      expect(Math.min(told, kept)).toBeGreaterThan(WORLDS * 50);
    },
    TIMEOUT_MS,
  );
});
