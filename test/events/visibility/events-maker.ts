import type { DataSource } from 'typeorm';
import {
  Event,
  EVENT_ACTIONS,
  EVENT_NOTEABLES,
  EVENT_TARGETS,
  type EventAction,
  type EventNoteable,
} from '../../../src/core/activity/event.entity.js';
import { DAY_MS } from '../../support/days.js';
import type { Dice } from './dice.js';
import { insertAll } from './people-maker.js';
import { byId, type Owned, type World, type WorldEvent } from './world.js';

const SPREAD_DAYS = 40;

interface Draft extends Omit<WorldEvent, 'id'> {
  noteable?: { type: EventNoteable; id: number | null };
}

/** Inserts events about everything in the world, in any order, some of them simultaneous. */
export async function makeEvents(
  dataSource: DataSource,
  dice: Dice,
  world: Omit<World, 'events'>,
): Promise<WorldEvent[]> {
  const when = moments(dice);
  const happened = (
    projectId: number,
    action: EventAction,
    target: WorldEvent['target'] = null,
  ): Draft => ({
    projectId,
    authorId: dice.pick(world.people).id,
    action,
    target,
    createdAt: when(),
  });
  const about =
    (type: 'issue' | 'merge_request' | 'milestone' | 'wiki_page') =>
    (actions: readonly EventAction[], odds: number) =>
    ({ id, projectId }: Owned): Draft[] =>
      dice.some(actions, odds).map((action) => happened(projectId, action, { type, id }));
  const drafts: Draft[] = [
    ...world.projects.flatMap(({ id }) => [
      happened(id, 'created', { type: 'project', id }),
      ...dice
        .some<EventAction>(['joined', 'joined', 'left', 'expired'], 0.5)
        .map((action) => happened(id, action, { type: 'project', id })),
      ...dice.times(dice.below(5), () => happened(id, 'pushed')),
      // The milestone is gone.
      ...dice.times(dice.below(2), () =>
        happened(id, 'destroyed', { type: 'milestone', id: null }),
      ),
    ]),
    ...world.issues.flatMap(about('issue')(['created', 'closed', 'reopened'], 0.6)),
    ...world.mergeRequests.flatMap(
      about('merge_request')(['created', 'closed', 'reopened', 'merged', 'approved'], 0.5),
    ),
    ...world.milestones.flatMap(about('milestone')(['created', 'closed', 'reopened'], 0.6)),
    ...world.wikiPages.flatMap(about('wiki_page')(['created', 'updated', 'destroyed'], 0.6)),
    ...world.notes.map(({ id, projectId, on, noteableId }) => ({
      ...happened(projectId, 'commented', { type: 'note', id }),
      noteable: { type: on, id: noteableId },
    })),
  ];
  const shuffled = drafts
    .map((draft) => ({ draft, place: dice.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ draft }) => draft);
  const ids = await insertAll(dataSource, Event, shuffled.map(rowOf));
  return shuffled.map(({ createdAt, projectId, authorId, action, target }, index) => {
    return { id: ids[index] ?? 0, createdAt, projectId, authorId, action, target };
  });
}

/** Random times, often that of another event or the very beginning or end of a day. */
function moments(dice: Dice): () => Date {
  const now = Date.now();
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const known: Date[] = [];
  return () => {
    if (known.length > 0 && dice.chance(0.2)) return dice.pick(known);
    const time = dice.chance(0.2)
      ? midnight - dice.below(SPREAD_DAYS) * DAY_MS - dice.below(2)
      : now - dice.below(SPREAD_DAYS * DAY_MS);
    const moment = new Date(time);
    known.push(moment);
    return moment;
  };
}

function rowOf({ target, noteable, action, ...draft }: Draft): Partial<Event> {
  const push = { pushAction: 2, refType: 0, ref: 'main', commitCount: 1 };
  return {
    ...draft,
    action: EVENT_ACTIONS[action],
    targetType: target === null ? null : EVENT_TARGETS[target.type],
    targetId: target?.id ?? null,
    noteableType: noteable === undefined ? null : EVENT_NOTEABLES[noteable.type],
    noteableId: noteable?.id ?? null,
    ...(action === 'pushed'
      ? push
      : { pushAction: null, refType: null, ref: null, commitCount: null }),
  };
}

/** Returns the description of an event for a failure message. */
export function described(world: World, event: WorldEvent): string {
  const { target, action, projectId, id } = event;
  const note = target?.type === 'note' ? world.notes.find((one) => one.id === target.id) : null;
  const { visibility } = byId(world.projects, projectId);
  const about = note ? `note on ${note.on}` : (target?.type ?? 'ref');
  return `${id} (${action} ${about} ${target?.id ?? ''} in ${projectId} of visibility ${visibility})`;
}
