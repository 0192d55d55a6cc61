import { expect } from '@jest/globals';
import type {
  NotificationKind,
  NotificationTarget,
} from '../../src/core/activity/notifications.repository.js';
import { Clock } from '../../src/core/clock.js';
import { Sql } from '../../src/core/sql/sql.service.js';
import { NotificationMailsRepository } from '../../src/notifications/notification-mails.repository.js';
import { DueDateReminders } from '../../src/notifications/worker/notification-maintenance.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import type { Relation } from '../support/notification-matrix.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { watchMails, type MailWatch } from './mail-watch.js';
import {
  chooseLevel,
  expected,
  makeCrew,
  received,
  those,
  turnSwitches,
  type Parts,
  type Seat,
} from './matrix-crew.js';

/** A project, people of all levels in it, and the server that the emails arrive at. */
export interface MatrixWorld {
  app: OwnTestApp;
  watch: MailWatch;
  project: MadeProject;
  /** Path of the project in the API. */
  base: string;
  /** Owns the project, watches it and does everything. */
  actor: MadeActor;
  crew: Seat[];
  /** The actor's requests, unless it is someone else's. */
  post(path: string, body: object, by?: MadeActor): Promise<{ id: number; iid: number }>;
  /** Subscribes or unsubscribes; 304 means that nothing changes for the user. */
  choose(path: string, by: Seat): Promise<void>;
  put(path: string, body: object): Promise<void>;
  /** All of a relation do something at once. */
  all(relation: Relation, act: (seat: Seat) => Promise<unknown>): Promise<unknown>;
  makeMilestone(): Promise<number>;
  /** Tells of the issues that are due at DUE_DATE, as workers do the day before. */
  tellDue: () => Promise<unknown>;
  /** Expects that the emails about what `act` does are those of the matrix, each once. */
  tells(what: What, parts: Parts, act: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** Kind of a notification, its target, and its count (once). */
type What = readonly [kind: NotificationKind, target: NotificationTarget, count?: number];

export const DUE_DATE = '2030-01-02';

class DayBefore extends Clock {
  override now(): Date {
    return new Date('2030-01-01T09:00:00Z');
  }
}

/** Builds it; everyone but the actor is of `relations`. */
export async function makeMatrixWorld(relations: readonly Relation[]): Promise<MatrixWorld> {
  const app = await startTestApp();
  const watch = await watchMails(app);
  const group = await makeGroup(app);
  const project = await makeProject(app, { namespaceId: group.id, files: { 'a.txt': 'one\n' } });
  const actor = await makeActor(app);
  await makeMember(app, { project, user: actor.user, role: 'owner' });
  await chooseLevel(actor, project, 'watch');
  const crew = await makeCrew(app, project, relations);
  const base = `/projects/${project.id}`;
  const post: MatrixWorld['post'] = async (path, body, by = actor) => {
    const response = await by.api.post(path, body).expect(201);
    return response.body as { id: number; iid: number };
  };
  return {
    ...{ app, watch, project, base, actor, crew, post },
    choose: async (path, by) => {
      const { status } = await by.api.post(path);
      expect([201, 304]).toContain(status);
    },
    put: async (path, body) => {
      await actor.api.put(path, body).expect(200);
    },
    all: (relation, act) => Promise.all(those(crew, relation).map(act)),
    makeMilestone: async () => {
      return (await post(`${base}/milestones`, { title: unique('Step ') })).id;
    },
    tellDue: () =>
      new DueDateReminders(
        new NotificationMailsRepository(app.dataSource, app.app.get(Sql)),
        new DayBefore(),
      ).tell(),
    tells: async ([kind, target, count], parts, act) => {
      await turnSwitches(app, crew, kind);
      const mails = await watch.mailsOf(kind, act, count);
      const wanted = expected(crew, [kind, target], parts);
      expect([kind, target, received(mails, crew)]).toEqual([kind, target, wanted]);
    },
    close: async () => {
      await watch.close();
      await app.close();
    },
  };
}
