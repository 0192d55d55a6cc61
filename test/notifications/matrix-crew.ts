import type {
  NotificationKind,
  NotificationTarget,
} from '../../src/core/activity/notifications.repository.js';
import { EMAIL_EVENTS, eventBit } from '../../src/notifications/notification-values.js';
import type { ReceivedMail } from '../mail/mail-server.js';
import type { TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import {
  MATRIX_LEVELS,
  NOTIFICATION_MATRIX,
  switchesBut,
  switchesOf,
  type MatrixLevel,
  type Relation,
} from '../support/notification-matrix.js';
import { makeMember, type MadeProject } from '../support/project-factories.js';

/** Someone with that level who is to have that to do with it. */
export interface Seat extends MadeActor {
  level: MatrixLevel;
  relation: Relation;
}

/** Relations that the users of a relation have had to the noteable by now; missing ones: none. */
export type Parts = Partial<Record<Relation, Relation>>;

/** Members of the project, one for each relation and level; they choose their level over HTTP. */
export function makeCrew(
  app: TestApp,
  project: MadeProject,
  relations: readonly Relation[],
): Promise<Seat[]> {
  const cells = relations.flatMap((relation) =>
    MATRIX_LEVELS.map((level) => ({ relation, level })),
  );
  return Promise.all(
    cells.map(async ({ relation, level }) => {
      const actor = await makeActor(app);
      const role = relation === 'keeper' ? 'maintainer' : 'developer';
      await makeMember(app, { project, user: actor.user, role });
      await chooseLevel(actor, project, level.startsWith('custom') ? 'custom' : level);
      return { ...actor, level, relation };
    }),
  );
}

/** Over HTTP. */
export async function chooseLevel(
  { api }: MadeActor,
  { id }: { id: number },
  level: string,
): Promise<void> {
  await api.put(`/projects/${id}/notification_settings`, { level }).expect(200);
}

/**
 * Turns the switches that stand for the kind on for `custom on`, and all others for `custom off`.
 */
export async function turnSwitches(
  { dataSource }: TestApp,
  crew: readonly Seat[],
  kind: NotificationKind,
): Promise<void> {
  const bits = (names: readonly string[]): number =>
    EMAIL_EVENTS.filter((event) => names.includes(event)).reduce(
      (sum, event) => sum | eventBit(event),
      0,
    );
  for (const level of ['custom on', 'custom off'] as const) {
    const events = bits(level === 'custom on' ? switchesOf(kind) : switchesBut(kind));
    const ids = crew.filter((seat) => seat.level === level).map(({ user }) => user.id);
    await dataSource.query(
      `UPDATE notification_settings SET events = $2
       WHERE user_id = ANY($1) AND project_id IS NOT NULL`,
      [ids, events],
    );
  }
}

/** Users of a relation. */
export function those(crew: readonly Seat[], relation: Relation): Seat[] {
  return crew.filter((seat) => seat.relation === relation);
}

/** Their ids, as assignees and reviewers are given. */
export function idsOf(crew: readonly Seat[], ...relations: Relation[]): number[] {
  return crew.filter(({ relation }) => relations.includes(relation)).map(({ user }) => user.id);
}

/** A text that names them. */
export function naming(crew: readonly Seat[], ...relations: Relation[]): string {
  const named = crew.filter(({ relation }) => relations.includes(relation));
  return named.map(({ user }) => `@${user.username}`).join(' ');
}

/** The emails that the matrix has, as `received` names them. */
export function expected(
  crew: readonly Seat[],
  [kind, target]: readonly [NotificationKind, NotificationTarget],
  parts: Parts,
): string[] {
  return crew
    .flatMap((seat) => {
      const part = parts[seat.relation] ?? 'uninvolved';
      const row = rowOf(kind, target, part);
      const isTold = row.mails[MATRIX_LEVELS.indexOf(seat.level)] === 'y';
      return isTold ? [line(seat, row.reason)] : [];
    })
    .toSorted();
}

/** Uninvolved users have no row of their own. */
function rowOf(kind: NotificationKind, target: NotificationTarget, relation: Relation) {
  const rows = NOTIFICATION_MATRIX.filter(
    (row) => row.kinds.includes(kind) && row.targets.includes(target),
  );
  const found =
    rows.find((row) => row.relation === relation) ??
    rows.find((row) => row.relation === 'uninvolved');
  if (found === undefined) throw new Error(`The matrix has nothing about ${kind}: ${target}`);
  return found;
}

/** Returns the relation of each recipient, and the reason of their email. */
export function received(mails: readonly ReceivedMail[], people: readonly Seat[]): string[] {
  return mails
    .flatMap(({ to, parsed }) =>
      to.map((address) => {
        const seat = people.find(({ user }) => user.email === address);
        const reason = parsed.headers.get('x-svc-notificationreason') as string | undefined;
        return seat === undefined ? `somebody else: ${address}` : line(seat, reason ?? null);
      }),
    )
    .toSorted();
}

function line({ level, relation }: Seat, reason: string | null): string {
  return `${relation}, ${level}: ${reason ?? 'no reason'}`;
}
