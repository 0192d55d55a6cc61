import type {
  EventAction,
  EventNoteable,
  EventTarget,
} from '../../../src/core/activity/event.entity.js';
import type { UserState } from '../../../src/identity/users/user.entity.js';

/** Contents of the database as plain values: the rules are applied to these, never to SQL. */
export interface World {
  people: Person[];
  spaces: Space[];
  memberships: Membership[];
  projects: WorldProject[];
  issues: WorldIssue[];
  mergeRequests: Owned[];
  milestones: Owned[];
  wikiPages: Owned[];
  snippets: WorldSnippet[];
  notes: WorldNote[];
  events: WorldEvent[];
}

export interface Person {
  id: number;
  username: string;
  /** null for those who only act in events. */
  token: string | null;
  isAdmin: boolean;
  isExternal: boolean;
  isBot: boolean;
  isConfirmed: boolean;
  hasPrivateProfile: boolean;
  state: UserState;
}

/** A group, or the namespace of a person. */
export interface Space {
  id: number;
  /** Ids from the topmost group down to this one. */
  path: number[];
  ownerId: number | null;
}

export interface Membership {
  id: number;
  userId: number;
  spaceId: number | null;
  projectId: number | null;
  level: number;
  isOver: boolean;
}

export const FEATURES = ['issues', 'mergeRequests', 'wiki', 'snippets', 'repository'] as const;
export type Feature = (typeof FEATURES)[number];

export interface WorldProject {
  id: number;
  spaceId: number;
  /** 0 private, 10 internal, 20 public. */
  visibility: number;
  features: Record<Feature, boolean>;
  isBeingDeleted: boolean;
}

export interface Owned {
  id: number;
  projectId: number;
}

export interface WorldIssue extends Owned {
  authorId: number;
  isConfidential: boolean;
  assigneeIds: number[];
}

export interface WorldSnippet extends Owned {
  authorId: number;
  visibility: number;
}

export interface WorldNote extends Owned {
  on: EventNoteable;
  /** null for commits. */
  noteableId: number | null;
  isInternal: boolean;
}

export interface WorldEvent {
  id: number;
  createdAt: Date;
  projectId: number;
  authorId: number;
  action: EventAction;
  /** null for pushes. */
  target: { type: EventTarget; id: number | null } | null;
}

/** The one with that id; an error of the test when there is none. */
export function byId<T extends { id: number }>(list: readonly T[], id: number | null): T {
  const found = list.find((one) => one.id === id);
  if (found === undefined) throw new Error(`The world has no ${id}`);
  return found;
}
