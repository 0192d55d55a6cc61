import {
  Event,
  EVENT_ACTIONS,
  EVENT_NOTEABLES,
  EVENT_TARGETS,
  PUSH_ACTIONS,
  REF_TYPES,
  type NewEvent,
  type PushedRefs,
} from '../../src/core/activity/event.entity.js';
import type { TestApp } from './app.js';

/** One commit pushed to `main`, unless `attributes` say otherwise. */
export function makePush(attributes: Partial<PushedRefs> = {}): PushedRefs {
  return {
    action: 'pushed',
    refType: 'branch',
    ref: 'main',
    commitFrom: '1'.repeat(40),
    commitTo: '2'.repeat(40),
    commitCount: 1,
    commitTitle: 'Change something',
    refCount: null,
    ...attributes,
  };
}

/** An event as it is kept, whether or not what it tells of has happened; its id. */
export async function recordEvent(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  {
    projectId,
    authorId,
    action,
    target,
    noteable,
    push,
    createdAt,
  }: NewEvent & { createdAt?: Date },
): Promise<number> {
  const inserted = await dataSource.manager.insert(Event, {
    projectId,
    authorId,
    action: EVENT_ACTIONS[action],
    targetType: target === undefined ? null : EVENT_TARGETS[target.type],
    targetId: target?.id ?? null,
    noteableType: noteable === undefined ? null : EVENT_NOTEABLES[noteable.type],
    noteableId: noteable?.id ?? null,
    ...(push && {
      ...push,
      action: EVENT_ACTIONS[action],
      pushAction: PUSH_ACTIONS[push.action],
      refType: REF_TYPES[push.refType],
    }),
    ...(createdAt && { createdAt }),
  });
  return (inserted.identifiers[0] as { id: number }).id;
}

interface ManyEvents {
  projectId: number;
  authorId: number;
  count: number;
  /** Of the last one; now, unless it is given. */
  until?: Date;
}

/** That many events, a second apart and the last one now: the author joined the project. */
export async function recordMany(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  { projectId, authorId, count, until = new Date() }: ManyEvents,
): Promise<void> {
  await dataSource.query(
    `INSERT INTO events (project_id, author_id, action, target_type, target_id, created_at)
     SELECT $1, $2, ${EVENT_ACTIONS.joined}, ${EVENT_TARGETS.project}, $1,
       $4::timestamptz - n * interval '1 second' FROM generate_series(0, $3::int - 1) n`,
    [projectId, authorId, count, until],
  );
}
