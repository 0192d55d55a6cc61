import { EVENT_ACTIONS } from '../../../src/core/activity/event.entity.js';
import { TARGET_FILTERS } from '../../../src/events/event.dto.js';
import { day } from '../../support/days.js';
import type { Dice } from './dice.js';
import {
  inOrder,
  isMember,
  isWished,
  seesEvent,
  seesProject,
  showsActivity,
  type Asker,
  type Wish,
} from './rules.js';
import { byId, type World, type WorldEvent } from './world.js';

/** Which of the lists; `all` is everyone's in the viewer's projects. Other scopes change nothing. */
type Place = { scope?: string } & (
  | { kind: 'own' | 'all' }
  | { kind: 'user'; id: number; name: string }
  | { kind: 'project'; id: number }
);

/** In most lists of projects there is more to see, and to hide, than in the others. */
const KINDS = ['project', 'project', 'project', 'user', 'user', 'own', 'all', 'all'] as const;

/** One list as someone asks for it. */
export interface Case {
  viewer: Asker;
  place: Place;
  wish: Wish;
  perPage: number;
}

/** Returns a random case: anonymous in one of eight; most with few filters. */
export function anyCase(dice: Dice, world: World): Case {
  const askers = world.people.filter(({ token }) => token !== null);
  const viewer = dice.chance(0.12) ? null : dice.pick(askers);
  return { viewer, place: anyPlace(dice, world, viewer), wish: anyWish(dice), perPage: size(dice) };
}

function size(dice: Dice): number {
  return dice.pick([4, 7, 12, 20, 33, 100]);
}

function anyPlace(dice: Dice, world: World, viewer: Asker): Place {
  const kind = dice.pick(KINDS);
  if (kind === 'project') return { kind, id: dice.pick(world.projects).id };
  if (kind === 'user' || viewer === null) {
    const { id, username } = dice.pick(world.people);
    const name = dice.pick([String(id), username, username.toUpperCase()]);
    return { kind: 'user', id, name, ...(dice.chance(0.1) && { scope: 'all' }) };
  }
  return { kind, ...(kind === 'own' && dice.chance(0.2) && { scope: dice.pick(['ALL', 'any']) }) };
}

function anyWish(dice: Dice): Wish {
  const filters: [keyof Wish, number, () => string][] = [
    ['action', 0.12, () => dice.pick(Object.keys(EVENT_ACTIONS))],
    ['target_type', 0.2, () => dice.pick(TARGET_FILTERS)],
    ['before', 0.12, () => day(1 - dice.below(40))],
    ['after', 0.12, () => day(-dice.below(42))],
    ['sort', 0.5, () => dice.pick(['asc', 'desc'])],
  ];
  const chosen = filters.filter(([, odds]) => dice.chance(odds));
  return Object.fromEntries(chosen.map(([name, , value]) => [name, value()]));
}

/** Path below `/api/v4` and its parameters, without the page. */
export function addressOf({ place, wish, perPage }: Case): { path: string; query: object } {
  const query = {
    ...wish,
    per_page: String(perPage),
    ...(place.scope !== undefined && { scope: place.scope }),
  };
  switch (place.kind) {
    case 'own':
      return { path: '/events', query };
    case 'all':
      return { path: '/events', query: { ...query, scope: 'all' } };
    case 'user':
      return { path: `/users/${encodeURIComponent(place.name)}/events`, query };
    case 'project':
      return { path: `/projects/${place.id}/events`, query };
  }
}

/** Returns the expected events, or null for 404. */
export function expected(world: World, one: Case): WorldEvent[] | null {
  const { viewer, place, wish } = one;
  const seen = world.events.filter((event) => isWished(event, wish) && isIn(world, event, one));
  if (place.kind === 'project') {
    if (!seesProject(world, byId(world.projects, place.id), viewer)) return null;
  }
  if (place.kind === 'user' && !showsActivity(byId(world.people, place.id), viewer)) return [];
  return inOrder(
    seen.filter((event) => seesEvent(world, event, viewer)),
    wish,
  );
}

function isIn(world: World, event: WorldEvent, { place, viewer }: Case): boolean {
  switch (place.kind) {
    case 'own':
      return event.authorId === viewer?.id;
    case 'all':
      return isMember(world, byId(world.projects, event.projectId), viewer);
    case 'user':
      return event.authorId === place.id;
    case 'project':
      return event.projectId === place.id;
  }
}
