import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  NotificationKind,
  NotificationTarget,
} from '../../src/core/activity/notifications.repository.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeSetting, notify, toldOf, type ToldPerson } from '../support/recipient-factories.js';
import {
  MATRIX_LEVELS,
  NOTIFICATION_MATRIX,
  switchesBut,
  switchesOf,
  type MatrixLevel,
  type MatrixRow,
  type Relation,
} from '../support/notification-matrix.js';
import { arrange, makeCast, makeMatrixPlace, type Cast, type MatrixPlace } from './matrix-place.js';

let app: OwnTestApp;
let place: MatrixPlace;
const casts = new Map<MatrixLevel, Cast>();
beforeAll(async () => {
  app = await startTestApp();
  place = await makeMatrixPlace(app);
  for (const level of MATRIX_LEVELS) casts.set(level, await makeCast(app, place));
});
afterAll(() => app.close());

async function setLevel(level: MatrixLevel, kind: NotificationKind): Promise<void> {
  const events = level === 'custom on' ? switchesOf(kind) : switchesBut(kind);
  const name = level === 'custom on' || level === 'custom off' ? 'custom' : level;
  for (const user of Object.values(casts.get(level) ?? {})) {
    await app.dataSource.query('DELETE FROM notification_settings WHERE user_id = $1', [user.id]);
    await makeSetting(app, { user, project: place.project }, { level: name, events });
  }
}

const CASES = NOTIFICATION_MATRIX.flatMap(({ kinds, targets }) =>
  kinds.flatMap((kind) => targets.map((target) => [kind, target] as const)),
);
const EACH = [...new Map(CASES.map((one) => [one.join(), one])).values()];

function rowsOf(kind: NotificationKind, target: NotificationTarget): MatrixRow[] {
  return NOTIFICATION_MATRIX.filter(
    (row) => row.kinds.includes(kind) && row.targets.includes(target),
  );
}

/** Reasons by relation, as the matrix has them. */
function expected(rows: readonly MatrixRow[], level: MatrixLevel): Record<string, string | null> {
  const told = rows.filter(({ mails }) => mails[MATRIX_LEVELS.indexOf(level)] === 'y');
  return Object.fromEntries(told.map(({ relation, reason }) => [relation, reason]));
}

/** The same, of the emails. */
function found(rows: readonly MatrixRow[], cast: Cast, told: readonly ToldPerson[]) {
  const entries = rows.flatMap(({ relation }) => {
    const mail = told.find(({ userId }) => userId === cast[relation].id);
    return mail === undefined ? [] : [[relation, mail.reason] as const];
  });
  return Object.fromEntries(entries);
}

/** Only one can be the author: those who are it take turns. */
const AUTHORS: readonly Relation[] = ['author', 'unsubscribed author'];

describe('who gets a mail, by level and by what they have to do with it', () => {
  it.each(EACH)('%s: %s', async (kind, target) => {
    const rows = rowsOf(kind, target);
    for (const level of MATRIX_LEVELS) await setLevel(level, kind);
    for (const [level, cast] of casts) {
      for (const author of AUTHORS) {
        const judged = rows.filter(({ relation }) =>
          AUTHORS.includes(relation) ? relation === author : author === 'author',
        );
        const stage = { app, place, cast, author: cast[author] };
        const notificationId = await notify(app, await arrange(stage, kind, target));
        const told = await toldOf(app, notificationId);
        expect({ level, ...found(judged, cast, told) }).toEqual({
          level,
          ...expected(judged, level),
        });
      }
    }
  });

  it.each([
    ['success_pipeline', true],
    ['failed_pipeline', false],
  ] as const)('of a repaired pipeline with nothing on but %s: %p', async (event, isTold) => {
    const cast = await makeCast(app, place);
    const user = cast.runner;
    await makeSetting(app, { user, project: place.project }, { level: 'custom', events: [event] });
    const notification = await arrange(
      { app, place, cast, author: user },
      'fixed_pipeline',
      'pipeline',
    );
    const told = await toldOf(app, await notify(app, notification));
    expect(told.map(({ userId }) => userId)).toEqual(isTold ? [user.id] : []);
  });

  it('covers every kind', () => {
    expect(new Set(CASES.map(([kind]) => kind)).size).toBe(22);
  });
});
